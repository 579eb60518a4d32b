export { type T, useT } from '../locales/use-t.ts'
export { Card } from './card.tsx'
export { Chart } from './content/chart.tsx'
export { LazyMarkdown as Markdown } from './content/lazy-markdown.tsx'
export { Sparkline } from './content/sparkline.tsx'
export { CreatedLinesDialog } from './crud/created-lines-dialog.tsx'
export { crudPage } from './crud/crud-page.tsx'
export type { CsvColumn } from './crud/csv-export.tsx'
export { CreateForm } from './crud/forms.tsx'
export { statusColumn } from './crud/status-column.tsx'
export { ConfirmButton, ConfirmItem } from './feedback/confirm.tsx'
export { DialogCloseButton } from './feedback/dialog-close-button.tsx'
export { RootNeeded } from './feedback/role-needed.tsx'
export { ActionItem, RowMenu } from './feedback/row-menu.tsx'
export { EmptyState, ErrorState } from './feedback/states.tsx'
export { notify } from './feedback/toast.tsx'
export { Control } from './form/control.tsx'
export { DialogButton, FormDialog } from './form/dialog/form-dialog.tsx'
export { Field } from './form/field.tsx'
export { SchemaForm } from './form/schema-form.tsx'
export type { FieldOverride, Section } from './form/types.ts'
export { Page } from './page.tsx'
export { PeriodBar, usePeriod } from './period-bar.tsx'
export { Switch } from './switch.tsx'
export { DataTable } from './table/data-table.tsx'
export { useRecord } from './table/state/use-record.ts'
export type { Column, Filter } from './table/types.ts'
export { mono } from './theme.ts'
export { useAction } from './use-action.ts'
export { useAddress, useAddressText, useChoice } from './use-address.ts'
export { useDialog } from './use-dialog.ts'
export { useTitle } from './use-title.ts'
export { Badge, StatusDot, type Tone } from './values/badge.tsx'
export { CodeBlock, MonoText } from './values/code-block.tsx'
export { Copyable, CopyButton, useCopy } from './values/copy.tsx'
export {
  fileTime,
  formatCount,
  formatDay,
  formatDuration,
  formatFixed,
  formatMoney,
  formatNumber,
  formatOptionalTime,
  formatPercent,
  formatTime,
  midnight,
} from './values/format.ts'
export { KeyValue, type KeyValueRow } from './values/key-value.tsx'
export { OneLine, TruncatedText, TwoLines } from './values/lines.tsx'
export { Meter } from './values/meter.tsx'
export { Tile, tileColumns } from './values/tile.tsx'
export { Count, Duration, PastTimestamp, Timestamp } from './values/values.tsx'
