import { claudeFields } from '../anthropic/price-fields.ts'
import { priceFields as geminiPriceFields } from '../gemini/price-fields.ts'
import { type PriceFields, speedField, tierField } from '../price-fields.ts'

const consumption =
  'https://docs.cloud.google.com/vertex-ai/generative-ai/docs/deploy/consumption-options'
const claude =
  'https://docs.cloud.google.com/gemini-enterprise-agent-platform/models/partner-models/claude/fast-mode'

/** `dedicated` uses what the operator has bought; `shared` is the usual traffic. */
const free = ['shared', 'dedicated']

export const priceFields: PriceFields = {
  fields: [
    ...geminiPriceFields.fields,
    tierField('x-vertex-ai-llm-request-type', consumption, { in: 'header', free }),
    tierField('x-vertex-ai-llm-shared-request-type', consumption, { in: 'header', free }),
    speedField(claude),
    ...claudeFields,
  ],
  ratios: [],
}
