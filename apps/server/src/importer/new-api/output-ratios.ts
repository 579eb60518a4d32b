type Rule = { begins?: string; is?: string; ends?: string; ratio: number }

/**
 * Ratios of output to input that One API applies where its administrator stored none. The first rule that fits counts.
 * https://github.com/songquanpeng/one-api/blob/main/relay/billing/ratio/model.go
 */
const rules: readonly Rule[] = [
  { is: 'gpt-3.5-turbo', ratio: 3 },
  { begins: 'gpt-3.5', ends: '0125', ratio: 3 },
  { begins: 'gpt-3.5', ends: '1106', ratio: 2 },
  { begins: 'gpt-3.5', ratio: 4 / 3 },
  { is: 'gpt-4o-2024-05-13', ratio: 3 },
  { begins: 'gpt-4o', ratio: 4 },
  { begins: 'gpt-4-turbo', ratio: 3 },
  { begins: 'gpt-4', ends: 'preview', ratio: 3 },
  { begins: 'gpt-4', ratio: 2 },
  { begins: 'o1', ratio: 4 },
  { is: 'chatgpt-4o-latest', ratio: 3 },
  { begins: 'claude-3', ratio: 5 },
  { begins: 'claude-', ratio: 3 },
  { begins: 'mistral-', ratio: 3 },
  { begins: 'gemini-', ratio: 3 },
  { begins: 'deepseek-', ratio: 2 },
  { is: 'command-r', ratio: 3 },
  { is: 'command-r-plus', ratio: 5 },
]

export const oneApiOutputRatio = (model: string): number =>
  rules.find(
    ({ begins = '', is = model, ends = '' }) =>
      model === is && model.startsWith(begins) && model.endsWith(ends),
  )?.ratio ?? 1
