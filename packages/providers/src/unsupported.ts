import { apiKey, defineProvider, unsigned } from './define.ts'

/**
 * Channel types of One Hub and its forks that this gateway cannot call: they are not implemented, the vendor has shut its
 * service, or its terms forbid it. They are listed so that stored channels keep their name.
 */
const unsupported: readonly (readonly [type: number, id: string, name: string, baseUrl: string])[] =
  [
    [11, 'palm', 'Google PaLM2', 'https://generativelanguage.googleapis.com'],
    [23, 'tencent', 'Tencent Hunyuan, old', 'https://hunyuan.cloud.tencent.com'],
    [49, 'github', 'GitHub Models', ''],
    [57, 'gemini-cli', 'Gemini CLI', ''],
    [58, 'claude-code', 'Claude Code', ''],
    [59, 'codex', 'Codex', ''],
    [60, 'antigravity', 'Antigravity', ''],
  ]

/** By channel type. */
const unavailableReasons: Readonly<Record<number, string>> = {
  11: 'Google decommissioned the PaLM API on 15 August 2024: https://ai.google.dev/palm_docs/deprecation. Use a channel of type 25.',
  23: 'Tencent shut Hunyuan down on 30 September 2026: https://cloud.tencent.com/document/product/1729/131925. Use a channel of type 40 with a key of TokenHub.',
  49: 'GitHub shut GitHub Models down on 30 July 2026: https://github.com/orgs/community/discussions/203602.',
  57: 'Google forbids other software to use the login of Gemini CLI: https://geminicli.com/docs/resources/faq/. Use a channel of type 25 or 61 with an API key.',
  58: 'Anthropic forbids other products to use the login of a Claude subscription: https://code.claude.com/docs/en/legal-and-compliance. Use a channel of type 14 with an API key.',
  59: 'The login of a ChatGPT subscription is for its owner only: https://openai.com/policies/terms-of-use. Use a channel of type 1 with an API key.',
  60: 'Google forbids other software to use the login of Antigravity: https://antigravity.google/terms. Use a channel of type 25 or 61 with an API key.',
}

export const unsupportedProviders = unsupported.map(([type, id, name, baseUrl]) => {
  const unavailableReason = unavailableReasons[type]
  return defineProvider({
    ...{ type, id, name, baseUrl, credential: apiKey(), sign: unsigned, serves: {} },
    ...(unavailableReason && { unavailableReason }),
  })
})
