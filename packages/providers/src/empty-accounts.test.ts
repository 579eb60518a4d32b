import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { emptyAccounts, isEmptyAccount } from './empty-accounts.ts'

const never = () => false
const error = (message: string, code = '', type = '') => ({ message, code, type })

/** The answer of each vendor of the table, by the source that its row names. */
const examples: Readonly<Record<string, ReturnType<typeof error>[]>> = {
  OpenAI: [
    error('You exceeded your current quota.', 'insufficient_quota', 'insufficient_quota'),
    error('Your account is not active.', 'billing_not_active', 'billing_not_active'),
    error('Billing hard limit has been reached', 'billing_hard_limit_reached', 'image_error'),
  ],
  Anthropic: [
    error(
      'Your credit balance is too low to access the Anthropic API.',
      '',
      'invalid_request_error',
    ),
    error('There is an issue with your billing.', '', 'billing_error'),
  ],
  'Google Gemini': [error('Your prepayment credits are depleted. Go to AI Studio.', '429')],
  xAI: [
    error(
      'Your team 1 has either used all available credits or reached its monthly spending limit.',
      'permission-denied',
    ),
  ],
  'DeepSeek, MiniMax': [error('Insufficient Balance', 'invalid_request_error', 'unknown_error')],
  Moonshot: [error('Your account is suspended.', '', 'exceeded_current_quota_error')],
  Zhipu: [error('您的账户已欠费，请充值后重试', '1113')],
  'Alibaba Qwen': [
    error('Access denied, your account is not in good standing.', 'Arrearage', 'Arrearage'),
    error('Access denied due to overdue account'),
  ],
  'Volcengine Ark': [
    error('The account has an overdue balance.', 'AccountOverdueError', 'Forbidden'),
    error('The bill is overdue.', 'ServiceOverdue'),
  ],
  'Tencent Hunyuan': [error('endpoint is inactive: FREE_QUOTA_EXHAUSTED', '401007')],
  SiliconFlow: [error('Sorry, your account balance is insufficient', '30001')],
  OpenRouter: [error('Your account or API key has insufficient credits. Add more credits.', '402')],
  Recraft: [error('Not enough credits', 'not_enough_credits')],
  Jina: [error('Account balance not enough to run this query, please recharge.')],
  Replicate: [error('You have insufficient credit to run this model.')],
  'Stability AI': [error('You lack sufficient credits to make this request.')],
  'Xiaomi MiMo, Venice': [error('No balance.', '', 'insufficient_balance')],
  sub2api: [error('Insufficient account balance', 'INSUFFICIENT_BALANCE')],
  'One API, One Hub, New API': [
    error('预扣费额度失败, 用户剩余额度: ＄0.00', 'insufficient_user_quota', 'new_api_error'),
    error('token quota is not enough', 'pre_consume_token_quota_failed', 'one_hub_error'),
  ],
  LiteLLM: [
    error('ExceededBudget: User=u over budget. Spend=2, Budget=1', '400', 'budget_exceeded'),
    error('Budget has been exceeded! Current cost: 2, Max budget: 1', '400'),
  ],
  'this gateway': [
    error('The account balance does not cover this request. (request id: 1)', 'insufficient_quota'),
    error('The quota of this API key is used up. (request id: 1)', '429', 'RESOURCE_EXHAUSTED'),
    error('The account owes.', 'account_debt', 'insufficient_quota'),
  ],
}

it('every vendor of the table has an example', () => {
  expect(emptyAccounts.map(each => each.vendor)).toEqual(Object.keys(examples))
})

it.each(
  Object.entries(examples).flatMap(([vendor, all]) => all.map(each => [vendor, each] as const)),
)('an empty account is recognised by the words of %s', (vendor, example) => {
  expect(isEmptyAccount(example, never)).toBe(true)
  const row = emptyAccounts.find(each => each.vendor === vendor)!
  const isOfRow =
    row.words?.test(example.message) ||
    row.codes?.some(each => [example.code, example.type].includes(each))
  // This gateway uses OpenAI's code for callers of OpenAI's API.
  expect(isOfRow || vendor === 'this gateway').toBe(true)
})

it.each([
  error('Rate limit reached for requests.', 'rate_limit_exceeded', 'requests'),
  error('You exceeded your current quota, please check your plan and billing details.', '429'),
  error('Resource has been exhausted (e.g. check quota).', '429', 'RESOURCE_EXHAUSTED'),
  error('Incorrect API key provided.', 'invalid_api_key', 'invalid_request_error'),
  error('The model m does not exist.', 'model_not_found'),
  error('The field note says: insufficient balance', 'invalid_value'),
  error('当前分组 default 下对于模型 m 无可用渠道', 'model_not_found', 'new_api_error'),
])('$message is no empty account', other => {
  expect(isEmptyAccount(other, never)).toBe(false)
})

it('words that the caller wrote prove nothing, and codes cannot be written by a caller', () => {
  const echo = error('Invalid value: "your credit balance is too low"', '', 'invalid_request_error')
  expect(isEmptyAccount(echo, phrase => phrase === 'credit balance is too low')).toBe(false)
  expect(isEmptyAccount(error('x', 'insufficient_user_quota'), () => true)).toBe(true)
})

it('the table of the documents has each row with its source', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8')
  for (const { vendor, codes = [], words, source } of emptyAccounts) {
    const line = page.split('\n').find(each => each.startsWith(`| ${vendor} |`))
    expect([vendor, line]).toEqual([vendor, expect.stringContaining(source)])
    for (const code of codes) expect(line).toContain(`\`${code}\``)
    if (words) expect(line).toContain('“')
  }
})
