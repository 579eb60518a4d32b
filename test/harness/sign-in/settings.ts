import { githubApp } from './fake-github.ts'
import { larkApp } from './fake-lark.ts'
import { oidcApp } from './oidc-server.ts'

type Server = { url: string }

/** The settings by which a site lets people sign in by these servers. */
export const signInSettings = (servers: {
  github: Server
  lark: Server
  oidc: Server
}): Record<string, string> => ({
  GitHubClientId: githubApp.clientId,
  GitHubServer: servers.github.url,
  GitHubClientSecret: githubApp.clientSecret,
  GitHubOAuthEnabled: 'true',
  LarkClientId: larkApp.clientId,
  LarkServer: servers.lark.url,
  LarkClientSecret: larkApp.clientSecret,
  LarkAuthEnabled: 'true',
  OIDCClientId: oidcApp.clientId,
  OIDCIssuer: servers.oidc.url,
  OIDCClientSecret: oidcApp.clientSecret,
  OIDCAuthEnabled: 'true',
})
