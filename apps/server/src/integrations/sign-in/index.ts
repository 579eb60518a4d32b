import { github } from './github.ts'
import { lark } from './lark.ts'
import { oauth2 } from './oauth2.ts'
import { customOidc, oidc } from './oidc.ts'
import type { SignInProvider } from './sign-in-provider.ts'

/** The providers that settings configure, in the order of the sign-in page. */
export const signInProviders: readonly SignInProvider[] = [github, lark, oidc]

/** The protocols of providers that an operator adds. */
export const customProviders = { oidc: customOidc, oauth2 } satisfies Record<string, SignInProvider>
