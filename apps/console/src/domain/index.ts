export { ExternalLinkConfirm } from './external-link-confirm.tsx'
export { LimitsText, nullEmptyLimits, useLimitOverrides, useLimitsText } from './limits.tsx'
export { ModelMark, ModelName } from './marks/model-name.tsx'
export { ProviderMark } from './marks/provider-mark.tsx'
export { PointsInput } from './points-input.tsx'
export { CallPrice, secondPrices } from './prices/call-price.tsx'
export {
  multiplyRatio,
  type PriceView,
  priceText,
  toRatio,
} from './prices/price.ts'
export { PriceAmount, priceViewFor } from './prices/price-amount.tsx'
export {
  PriceViewToggle,
  type SetPriceView,
  useOwnPriceView,
  usePriceView,
} from './prices/price-view.tsx'
export { commonTools, isSecond, toolName } from './prices/tool-name.ts'
export { formatCharge, formatQuota, type QuotaDisplay, usedPercent, usedTone } from './quota.ts'
export { Quota } from './quota-value.tsx'
