import DownloadIcon from 'virtual:icons/file-download'
import type { Endpoint } from '@hub/contract'
import IconButton from '@mui/material/IconButton'
import Tooltip from '@mui/material/Tooltip'
import type { Call } from '../../api/client.ts'
import { type T, useT } from '../../locales/use-t.ts'
import { download, toCsv } from '../csv.ts'
import { useListState } from '../table/state/list-state.ts'
import { listInput } from '../table/state/rows.ts'
import { useAction } from '../use-action.ts'
import { fileTime } from '../values/format.ts'

/** One CSV column: the key of its header `<resource>.fields.<key>` and its value. */
export type CsvColumn<Row> = [key: string, value: (row: Row, t: T) => string | number]

export type CsvExport<Row> = { fileName: string; columns: readonly CsvColumn<Row>[] }

export const rowsToCsv = <Row,>(
  t: T,
  resource: string,
  columns: readonly CsvColumn<Row>[],
  rows: readonly Row[],
): string =>
  toCsv([
    columns.map(([key]) => t(`${resource}.fields.${key}`)),
    ...rows.map(row => columns.map(([, value]) => value(row, t))),
  ])

type LoadedPage<Row> = { data: Row[]; size: number }

/** Loads every page of a list, up to the first one that is not full. */
export const loadAllPages = async <Row extends { id: number }>(
  load: (page: number) => Promise<LoadedPage<Row>>,
): Promise<Row[]> => {
  const rows = new Map<number, Row>()
  for (let page = 1; ; page += 1) {
    const { data, size } = await load(page)
    // A row created meanwhile moves others to the next page, so a row can arrive twice.
    for (const row of data) rows.set(row.id, row)
    if (data.length < size) return [...rows.values()]
  }
}

type Props<Row> = {
  list: Call<Endpoint>
  order: string
  filterKeys: readonly string[]
  csvExport: CsvExport<Row>
}

/** Downloads all rows that match the filters, not only the visible page. */
export const CsvExportButton = <Row extends { id: number }>(props: Props<Row>) => {
  const { list, order, filterKeys, csvExport } = props
  const { resource } = list
  const t = useT()
  const { state } = useListState({ resource, order, filterKeys })
  const loadRows = useAction([], () =>
    loadAllPages(
      page =>
        list(listInput(list, { ...state, page, size: 100, order }, {})) as Promise<LoadedPage<Row>>,
    ),
  )
  const save = async () => {
    const rows = await loadRows(undefined)
    const name = `${csvExport.fileName}-${fileTime()}.csv`
    if (rows) download(name, rowsToCsv(t, resource, csvExport.columns, rows))
  }
  return (
    <Tooltip title={t(`${resource}.export`)}>
      <span>
        <IconButton
          aria-label={t(`${resource}.export`)}
          loading={loadRows.isPending}
          onClick={() => void save()}
        >
          <DownloadIcon fontSize="small" />
        </IconButton>
      </span>
    </Tooltip>
  )
}
