export { countPrompt, guessTokens, type PromptCount, type Tokenizer } from './count.ts'
export { encodingOf, usualRatioOf } from './vendors.ts'
