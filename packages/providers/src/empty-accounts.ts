import type { UpstreamErrorInfo } from './error-rules.ts'

/** How a vendor says that the account behind a key is empty, overdrawn, or at its spending limit. */
export type EmptyAccount = {
  vendor: string
  /** Exact values of the error's code or type, in any case. */
  codes?: readonly string[]
  /** Found in its message. Only words that a vendor uses for nothing else. */
  words?: RegExp
  source: string
}

/**
 * The words of all vendors. They hold for every channel, because a gateway passes them on. A number or a status that means
 * this at one vendor alone stands in the `errorRules` of that vendor, as `upstream.funds`.
 */
export const emptyAccounts: readonly EmptyAccount[] = [
  {
    vendor: 'OpenAI',
    codes: ['insufficient_quota', 'billing_not_active', 'billing_hard_limit_reached'],
    source: 'https://platform.openai.com/docs/guides/error-codes',
  },
  {
    vendor: 'Anthropic',
    codes: ['billing_error'],
    words: /credit balance is too low/i,
    source: 'https://platform.claude.com/docs/en/api/errors',
  },
  {
    vendor: 'Google Gemini',
    words: /prepayment credits are depleted/i,
    source: 'https://github.com/dyad-sh/dyad/issues/3626',
  },
  {
    vendor: 'xAI',
    words: /used all available credits or reached its monthly spending limit/i,
    source: 'https://github.com/continuedev/continue/issues/10373',
  },
  {
    vendor: 'DeepSeek, MiniMax',
    words: /^insufficient balance\b/i,
    source: 'https://api-docs.deepseek.com/quick_start/error_codes',
  },
  {
    vendor: 'Moonshot',
    codes: ['exceeded_current_quota_error'],
    source: 'https://platform.moonshot.cn/docs/api/chat#错误说明',
  },
  {
    vendor: 'Zhipu',
    words: /账户已欠费/,
    source: 'https://docs.bigmodel.cn/cn/faq/api-code',
  },
  {
    vendor: 'Alibaba Qwen',
    codes: ['Arrearage'],
    words: /access denied due to overdue account/i,
    source: 'https://www.alibabacloud.com/help/en/model-studio/error-code',
  },
  {
    vendor: 'Volcengine Ark',
    codes: ['AccountOverdueError', 'ServiceOverdue'],
    source: 'https://www.volcengine.com/docs/82379/1299023',
  },
  {
    vendor: 'Tencent Hunyuan',
    words: /\bFREE_QUOTA_EXHAUSTED\b/,
    source: 'https://cloud.tencent.com/document/product/1823/131595',
  },
  {
    vendor: 'SiliconFlow',
    words: /account balance is insufficient/i,
    source: 'https://docs.siliconflow.cn/cn/api-reference/chat-completions/chat-completions',
  },
  {
    vendor: 'OpenRouter',
    words: /account or API key has insufficient credits/i,
    source: 'https://openrouter.ai/docs/api/reference/errors-and-debugging',
  },
  {
    vendor: 'Recraft',
    codes: ['not_enough_credits'],
    words: /not enough credits/i,
    source: 'https://www.recraft.ai/docs/api-reference/pricing',
  },
  {
    vendor: 'Jina',
    words: /account balance not enough/i,
    source: 'https://api.jina.ai/redoc',
  },
  {
    vendor: 'Replicate',
    words: /insufficient credit to run this model/i,
    source: 'https://replicate.com/docs/topics/billing',
  },
  {
    vendor: 'Stability AI',
    words: /lack sufficient credits/i,
    source: 'https://platform.stability.ai/docs/api-reference',
  },
  {
    vendor: 'Xiaomi MiMo, Venice',
    codes: ['insufficient_balance'],
    source: 'https://github.com/veniceai/api-docs/pull/149',
  },
  {
    vendor: 'sub2api',
    codes: ['INSUFFICIENT_BALANCE'],
    words: /^insufficient account balance$/i,
    source: 'https://github.com/Wei-Shaw/sub2api/issues/890',
  },
  {
    vendor: 'One API, One Hub, New API',
    codes: ['insufficient_user_quota', 'pre_consume_token_quota_failed'],
    source: 'https://docs.aihubmix.com/en/FAQs/HTTP-Codes',
  },
  {
    vendor: 'LiteLLM',
    codes: ['budget_exceeded'],
    words: /^(ExceededBudget: |Budget has been exceeded!)/,
    source: 'https://docs.litellm.ai/docs/proxy/users',
  },
  {
    vendor: 'this gateway',
    codes: ['account_debt', 'quota_exhausted', 'token_exhausted'],
    words:
      /^(The account balance does not cover this request|The quota of this API key is used up)\./,
    source: 'docs/errors.md',
  },
]

const codes = new Set(
  emptyAccounts.flatMap(each => each.codes ?? []).map(each => each.toLowerCase()),
)
const words = emptyAccounts.flatMap(each => each.words ?? [])

/**
 * The vendor says that the account is empty. Words that stand in the caller's own request prove nothing, because a refusal
 * may repeat them.
 */
export const isEmptyAccount = (
  { message, type, code }: Omit<UpstreamErrorInfo, 'status'>,
  isEchoed: (phrase: string) => boolean,
): boolean => {
  if (codes.has(code.toLowerCase()) || codes.has(type.toLowerCase())) return true
  for (const each of words) {
    const [phrase] = each.exec(message) ?? []
    if (phrase !== undefined && !isEchoed(phrase)) return true
  }
  return false
}
