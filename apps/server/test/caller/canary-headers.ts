/** Headers of gateways and of proxies that sign people in, by product. No vendor of a model reads any of them. */
export const canaryHeaders: Readonly<Record<string, readonly string[]>> = {
  'Open WebUI': [
    ...['X-OpenWebUI-User-Name', 'X-OpenWebUI-User-Id', 'X-OpenWebUI-User-Email'],
    ...['X-OpenWebUI-User-Role', 'X-OpenWebUI-Chat-Id', 'X-OpenWebUI-Message-Id'],
  ],
  LibreChat: ['X-LibreChat-User-Id', 'X-LibreChat-User-Email'],
  LobeChat: ['X-Lobe-Chat-Auth', 'X-Lobe-Trace', 'X-Client'],
  'oauth2-proxy': [
    ...['X-Auth-Request-User', 'X-Auth-Request-Email', 'X-Auth-Request-Groups'],
    ...['X-Auth-Request-Access-Token', 'X-Auth-Request-Preferred-Username'],
    ...['X-Forwarded-User', 'X-Forwarded-Email', 'X-Forwarded-Groups', 'X-Forwarded-Access-Token'],
  ],
  'AWS load balancer': ['X-Amzn-Oidc-Data', 'X-Amzn-Oidc-Identity', 'X-Amzn-Oidc-Accesstoken'],
  'AWS API Gateway': ['X-Amzn-Mtls-Clientcert', 'X-Amz-Security-Token', 'X-Amzn-Trace-Id'],
  'Google IAP': [
    ...['X-Goog-IAP-JWT-Assertion', 'X-Goog-Authenticated-User-Email'],
    ...['X-Goog-Authenticated-User-Id', 'X-Serverless-Authorization'],
  ],
  'Google APIs': ['X-Goog-User-Project', 'X-Goog-IAM-Authorization-Token', 'X-Goog-FieldMask'],
  'Cloudflare Access': [
    ...['Cf-Access-Authenticated-User-Email', 'Cf-Access-Jwt-Assertion', 'CF-Access-Client-Id'],
    ...['CF-Access-Client-Secret', 'CF-Connecting-IP', 'CF-IPCountry'],
  ],
  'Azure App Service': [
    ...['X-MS-CLIENT-PRINCIPAL', 'X-MS-CLIENT-PRINCIPAL-ID', 'X-MS-CLIENT-PRINCIPAL-NAME'],
    ...['X-MS-TOKEN-AAD-ACCESS-TOKEN', 'X-MS-TOKEN-AAD-ID-TOKEN'],
  ],
  'Azure API Management': ['Ocp-Apim-Subscription-Key', 'Ocp-Apim-Trace'],
  Authelia: ['Remote-User', 'Remote-Email', 'Remote-Groups', 'Remote-Name'],
  authentik: ['X-Authentik-Username', 'X-Authentik-Email', 'X-Authentik-Jwt'],
  Pomerium: ['X-Pomerium-Jwt-Assertion', 'X-Pomerium-Claim-Email'],
  Vouch: ['X-Vouch-User', 'X-Vouch-IdP-AccessToken'],
  Tailscale: ['Tailscale-User-Login', 'Tailscale-User-Name'],
  Grafana: ['X-WEBAUTH-USER', 'X-WEBAUTH-EMAIL'],
  Teleport: ['X-Teleport-Login', 'Teleport-Jwt-Assertion'],
  Kong: ['X-Consumer-Username', 'X-Consumer-Custom-Id', 'X-Credential-Identifier', 'apikey'],
  nginx: ['X-Remote-User', 'X-SSL-Client-Cert', 'X-SSL-Client-S-DN', 'X-Original-URL'],
  Traefik: ['X-Forwarded-Tls-Client-Cert', 'X-Forwarded-For', 'X-Real-IP'],
  Envoy: ['X-Envoy-External-Address', 'X-Forwarded-Client-Cert'],
  Helicone: [
    ...['Helicone-Auth', 'Helicone-Target-Url', 'Helicone-OpenAI-Api-Base', 'Helicone-User-Id'],
    ...['Helicone-Cache-Enabled', 'Helicone-Fallbacks', 'Helicone-Property-Session'],
  ],
  Portkey: [
    ...['x-portkey-api-key', 'x-portkey-config', 'x-portkey-provider', 'x-portkey-virtual-key'],
    ...['x-portkey-custom-host', 'x-portkey-forward-headers', 'x-portkey-metadata'],
  ],
  LiteLLM: [
    ...['x-litellm-api-key', 'x-litellm-api-base', 'x-litellm-tags', 'x-litellm-timeout'],
    ...['x-litellm-num-retries', 'x-litellm-spend-logs-metadata', 'x-litellm-session-id'],
  ],
  'Cloudflare AI Gateway': ['cf-aig-authorization', 'cf-aig-metadata', 'cf-aig-skip-cache'],
  'Vercel AI Gateway': [
    'ai-gateway-auth-method',
    'x-vercel-oidc-token',
    'x-vercel-ai-gateway-byok',
  ],
  OpenRouter: ['X-OpenRouter-Key', 'X-OpenRouter-Provider-Only'],
  Bifrost: ['x-bf-vk', 'x-bf-api-key', 'x-bf-provider'],
  'Kong AI Gateway': ['x-kong-llm-model', 'x-kong-request-id'],
  TrueFoundry: ['x-tfy-api-key', 'x-tfy-metadata', 'x-tfy-provider-name'],
  Braintrust: ['x-bt-use-cache', 'x-bt-endpoint-name', 'x-bt-org-name'],
  Langfuse: ['langfuse_trace_id', 'x-langfuse-public-key'],
  'Martian and Requesty': ['x-martian-key', 'x-requesty-api-key'],
  MLflow: ['x-databricks-endpoint', 'mlflow-gateway-route'],
  APISIX: ['X-Consumer-Name', 'X-APISIX-Plugin'],
  Higress: ['x-higress-llm-model', 'x-higress-fallback-from'],
  'Keywords AI': ['x-keywordsai-params', 'data-keywordsai-params'],
  GitLab: ['X-Gitlab-Global-User-Id', 'X-Gitlab-Instance-Id', 'X-Gitlab-Realm'],
  'GitHub Copilot': ['copilot-integration-id', 'x-github-token', 'editor-version'],
  'Okta and Ping': ['X-Okta-User', 'PF-Auth-User', 'SM_USER', 'OAM_REMOTE_USER', 'iv-user'],
  Shibboleth: ['eppn', 'Shib-Session-ID'],
  Akamai: ['Akamai-Origin-Hop', 'True-Client-IP', 'X-Akamai-Edgescape'],
  'Fly and Fastly': ['Fly-Client-IP', 'Fastly-Client-IP'],
  'New API, Midjourney proxies': ['mj-api-secret', 'x-oneapi-request-id', 'New-Api-User'],
  OpenAI: ['OpenAI-Organization', 'OpenAI-Project', 'ChatGPT-Account-ID'],
  browsers: ['Cookie', 'Origin', 'Referer', 'Sec-Fetch-Site', 'X-CSRF-Token'],
  HTTP: ['Proxy-Authorization', 'Forwarded', 'Via', 'X-HTTP-Method-Override', 'X-Access-Token'],
}

export const canaryNames: readonly string[] = [...new Set(Object.values(canaryHeaders).flat())]

/** Every canary at once. A value names its header, so that a failure says which one left. */
export const canaryRequestHeaders = (): Record<string, string> =>
  Object.fromEntries(canaryNames.map(name => [name, `canary-of-${name.toLowerCase()}`]))
