export { Card } from './card.tsx'
export { Chart } from './content/chart.tsx'
export { LazyMarkdown as Markdown } from './content/lazy-markdown.tsx'
export { Sparkline } from './content/sparkline.tsx'
export { ConfirmButton, ConfirmItem } from './feedback/confirm.tsx'
export { ActionItem, RowMenu } from './feedback/row-menu.tsx'
export { EmptyState, ErrorState } from './feedback/states.tsx'
export { notify } from './feedback/toast.tsx'
export { Control } from './form/control.tsx'
export { Field } from './form/field.tsx'
export { FormDialog } from './form/form-dialog.tsx'
export { LimitsText, sendLimits, useLimitLooks, useLimitsText } from './form/limits.tsx'
export { SchemaForm } from './form/schema-form.tsx'
export type { FieldLook, Section } from './form/types.ts'
export { HandOver } from './hand-over.tsx'
export { Page } from './page.tsx'
export { isAdmin, isRoot, useSession, useSite, useUser } from './site.ts'
export { DataTable } from './table/data-table.tsx'
export type { Column, Filter } from './table/types.ts'
export { mono } from './theme.ts'
export { type T, useT } from './use-t.ts'
export { Badge, Mark, type Tone } from './values/badge.tsx'
export { Copyable, CopyButton, useCopy } from './values/copy.tsx'
export { type Fact, KeyValue } from './values/key-value.tsx'
export {
  formatCharge,
  formatCount,
  formatDuration,
  formatQuota,
  usedPercent,
  usedTone,
} from './values/numbers.ts'
export { between, fromRatio, priceText, timesRatio, toRatio, type View } from './values/price.ts'
export { PriceAmount, viewFor } from './values/price-amount.tsx'
export { useView, ViewToggle } from './values/price-view.tsx'
export { Count, Duration, formatTime, Quota, When } from './values/values.tsx'
