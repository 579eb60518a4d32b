import { foldName, hasName, listedNames, makeNameSet, type NameSet } from './name-set.ts'

/** A field by which the caller of a gateway chooses where a request goes, with whose key, or what is recorded of it. */
type Steering = {
  gateway: string
  source: string
  /** A `*` at the end stands for any ending. */
  fields: readonly string[]
  /** The gateway reads the fields in `metadata` too. */
  inMetadata?: true
}

const litellm = 'LiteLLM'
const litellmAuth = 'https://docs.litellm.ai/docs/proxy/clientside_auth'

/**
 * Steering fields by the gateway that reads them. No vendor documents them for its own API, apart from `official`. Lists
 * of models and routing of OpenRouter are none: they change the price, which is another rule.
 */
export const steeringFields: readonly Steering[] = [
  {
    gateway: litellm,
    source: litellmAuth,
    fields: ['api_base', 'base_url', 'user_config', 'model_list'],
    inMetadata: true,
  },
  {
    gateway: litellm,
    source: litellmAuth,
    fields: [
      ...['api_key', 'api_version', 'api_type', 'organization'],
      ...['custom_llm_provider', 'deployment_id', 'extra_headers'],
      ...[
        'headers',
        'extra_query',
        'litellm_params',
        'litellm_metadata',
        'litellm_credential_name',
      ],
      ...['litellm_embedding_config', 'router_settings_override', 'specific_deployment'],
      ...['target_model_names', 'disable_global_guardrail', 'disable_global_guardrails', 'no-log'],
      ...[
        'proxy_server_request',
        'secret_fields',
        'user_api_key_auth*',
        'user_provider_credentials',
      ],
    ],
  },
  {
    gateway: litellm,
    source: 'https://docs.litellm.ai/docs/proxy/client_side_fallbacks',
    fields: [
      ...['fallbacks', 'context_window_fallbacks', 'content_policy_fallbacks', 'max_fallbacks'],
      ...['context_window_fallback_dict', 'disable_fallbacks', 'mock_response', 'mock_tool_calls'],
      ...['mock_delay', 'mock_timeout', 'mock_testing_*'],
    ],
  },
  {
    gateway: litellm,
    source: 'litellm 1.110.2, proxy/auth/auth_utils.py: credentials and addresses of vendors',
    fields: [
      ...['aws_access_key_id', 'aws_secret_access_key', 'aws_session_token', 'aws_session_name'],
      ...['aws_session_tags', 'aws_profile_name', 'aws_role_name', 'aws_external_id'],
      ...['aws_web_identity_token', 'aws_sts_endpoint', 'aws_region_name', 'aws_workspace_id'],
      ...['aws_bedrock_runtime_endpoint', 'aws_bedrock_control_plane_endpoint'],
      ...['aws_bedrock_project_id', 'anthropic_workspace_id', 'anthropic-workspace-id'],
      ...['agentcore_runtime_session_id', 'bedrock_tags', 'sagemaker_base_url', 'deployment_url'],
      ...['s3_endpoint_url', 's3_bucket_name', 's3_output_bucket_name', 'gcs_bucket_name'],
      ...['gcs_path_service_account', 'vertex_credentials', 'vertex_ai_credentials'],
      ...['vertex_project', 'vertex_location', 'vertex_ai_project', 'vertex_ai_location'],
      ...['azure_ad_token', 'watsonx_*', 'nvcf_function_id', 'github_copilot_*'],
    ],
    inMetadata: true,
  },
  {
    gateway: litellm,
    source: 'litellm 1.110.2, proxy/auth/auth_utils.py: sign-in at Microsoft',
    fields: ['azure_username', 'azure_password', 'azure_scope', 'tenant_id', 'client_secret'],
  },
  {
    gateway: litellm,
    source: 'litellm 1.110.2, litellm_core_utils/initialize_dynamic_callback_params.py: recording',
    fields: [
      ...['langfuse_public_key', 'langfuse_secret', 'langfuse_secret_key', 'langfuse_host'],
      ...['langsmith_api_key', 'langsmith_base_url', 'langsmith_project', 'langsmith_tenant_id'],
      ...['humanloop_api_key', 'arize_api_key', 'arize_space_key', 'arize_space_id'],
      ...['posthog_api_key', 'posthog_host', 'posthog_api_url', 'braintrust_api_key'],
      ...['braintrust_host', 'slack_webhook_url', 'lunary_public_key', 'dd_api_key', 'dd_site'],
      ...['dd_agent_host', 'dd_agent_port', 'newrelic_api_key', 'newrelic_region'],
      ...['signoz_ingestion_endpoint', 'signoz_ingestion_key', 'wandb_api_key'],
      ...['weave_project_id', 'turn_off_message_logging'],
    ],
    inMetadata: true,
  },
  {
    gateway: litellm,
    source: 'litellm 1.110.2, types/utils.py, CustomPricingLiteLLMParams: prices of its own bill',
    fields: [
      ...['input_cost_per_*', 'output_cost_per_*', 'cost_per_second'],
      ...['cache_creation_input_*', 'cache_read_input_*'],
    ],
  },
  {
    gateway: 'Vercel AI Gateway',
    source: 'https://vercel.com/docs/ai-gateway/openai-compat/advanced',
    fields: ['provideroptions'],
  },
  {
    gateway: 'AssemblyAI LLM Gateway',
    source: 'https://assemblyai.com/docs/llm-gateway/fallback',
    fields: ['fallback_config'],
  },
  {
    gateway: 'Keywords AI',
    source: 'https://docs.keywordsai.co/api-endpoints/develop/gateway/chat-completions',
    fields: [
      ...['customer_credentials', 'credential_override', 'fallback_models'],
      ...['load_balance_group', 'load_balance_models', 'exclude_providers'],
    ],
  },
  {
    gateway: 'orq.ai',
    source: 'https://docs.orq.ai/docs/proxy',
    fields: ['orq'],
  },
  {
    gateway: 'TensorZero',
    source: 'https://www.tensorzero.com/docs/gateway/api-reference/inference-openai-compatible',
    fields: ['tensorzero::*'],
  },
  {
    gateway: 'GitLab AI Gateway',
    source: 'https://gitlab.com/gitlab-org/modelops/applied-ml/code-suggestions/ai-assist',
    fields: ['model_metadata'],
  },
  {
    gateway: 'vLLM and SGLang behind their routers',
    source: 'https://docs.sglang.ai/advanced_features/pd_disaggregation.html',
    fields: ['kv_transfer_params', 'bootstrap_host', 'bootstrap_port', 'bootstrap_room'],
  },
]

/** Fields of a vendor's own API, by format: https://platform.claude.com/docs/en/api/beta/messages/create */
export const officialFields: Readonly<Record<string, ReadonlySet<string>>> = {
  anthropic: new Set(['fallbacks']),
}

const namesOf = (list: readonly Steering[]): NameSet =>
  makeNameSet(list.flatMap(each => each.fields))

const everywhere = namesOf(steeringFields)

/**
 * Objects in which gateways read steering fields, and the fields that they read there. LiteLLM adds `extra_body` to what
 * it sends, and lets the callbacks of a call read `metadata`, which may be JSON text.
 */
const containers: ReadonlyMap<string, NameSet> = new Map([
  ['extra_body', everywhere],
  ['metadata', namesOf(steeringFields.filter(each => each.inMetadata))],
])

/** Gateways read steering fields in this object too. */
export const isSteeringContainer = (field: string): boolean => containers.has(foldName(field))

/** `format` is that of the request, whose vendor's own fields steer nothing. */
type FieldOrigin = { format: string; container?: string | undefined }

/** The name by which a channel may allow a field of a request; undefined for one that steers nothing. */
export const steeringNameOf = (
  field: string,
  { format, container }: FieldOrigin,
): string | undefined => {
  const name = foldName(field)
  const names = container === undefined ? everywhere : containers.get(foldName(container))!
  if (!hasName(names, name)) return undefined
  return container === undefined && officialFields[format]?.has(field) ? undefined : name
}

const listMax = 50

/** Names the first fault in a channel's list of fields to pass; undefined where it has none. */
export const fieldListProblem = (text: string): string | undefined => {
  const listed = listedNames(text)
  if (listed.length > listMax) return `at most ${listMax} names`
  const unknown = listed.find(
    each => each !== '*' && steeringNameOf(each, { format: '' }) === undefined,
  )
  return unknown === undefined
    ? undefined
    : `'${unknown.slice(0, 64)}' is not a steering field; other fields pass without it`
}
