import type { Endpoint } from '@hub/contract'
import { type ReactNode, useState } from 'react'
import type { Call } from '../../api/client.ts'
import { type T, useT } from '../../locales/use-t.ts'
import { Page } from '../page.tsx'
import { DataTable } from '../table/data-table.tsx'
import { useRecord } from '../table/state/use-record.ts'
import type { Column, Filter, RowKey } from '../table/types.ts'
import { useDialog } from '../use-dialog.ts'
import type { CrudCalls, CrudRow, Input, Output, RowOf } from './calls.ts'
import { type CsvExport, CsvExportButton } from './csv-export.tsx'
import { CreateForm, CreateFormButton, type CrudForm, EditForm } from './forms.tsx'
import { RowActions, type RowActionsOptions } from './row-actions.tsx'
import { RowDetails } from './row-details.tsx'

type CrudOptions<Row, NewInput, Created> = RowActionsOptions<Row> & {
  columns: readonly Column<Row>[]
  form: CrudForm
  /** Keys of the columns on a phone card; the name of the row is the title. */
  card: readonly string[]
  /** The order of an untouched list, as in the URL: `-id`. */
  order?: string
  /** Filters in addition to the keyword search. */
  filters?: (t: T) => readonly Filter[]
  /** Replaces the text `<resource>.intro` below the title. */
  intro?: ReactNode
  /** Buttons before the one that creates a row. */
  actions?: ReactNode
  /** The text that the keyword is searched in. Only for lists without pages; by default all values of the row. */
  searchText?: (row: Row, t: T) => string
  /** The columns in the drawer of the clicked row. Without them rows do not open. */
  details?: readonly Column<Row>[]
  csvExport?: CsvExport<Row>
  /** Replaces the toast after a row was created. */
  createdDialog?: (response: Created, input: NewInput, close: () => void) => ReactNode
  /** Makes rows selectable: the actions for the selected ones. */
  bulkActions?: (ids: readonly number[], clear: () => void) => ReactNode
  /** False: an empty list does not offer the create form. */
  createWhenEmpty?: boolean
}

/**
 * Makes the page of a plain resource: a searchable list, forms to create and edit a row, deletion after a confirmation.
 * All texts come from the resource's locale file: `title`, `intro`, `create`, `edit`, `save`, `saved`, `removed`, `remove`.
 */
export const crudPage = <C extends CrudCalls, Row extends CrudRow & RowOf<C>>(
  calls: C & { list: { resource: string } },
  options: CrudOptions<Row, Input<C['create']>, Output<C['create']>>,
) => {
  const { resource } = calls.list
  const list = calls.list as unknown as Call<Endpoint>
  const { columns, order = '', card, csvExport, details } = options
  const { bulkActions, searchText } = options

  const CrudPage = () => {
    const t = useT()
    const editDialog = useDialog('edit')
    const editing = useRecord<Row>(calls, editDialog.id)
    const [created, setCreated] = useState<{ response: unknown; input: unknown }>()
    const filters: Filter[] = [
      { key: 'keyword', kind: 'text', labelKey: `${resource}.fields.keyword` },
      ...(options.filters?.(t) ?? []),
    ]
    const onCreated = options.createdDialog
      ? (response: unknown, input: unknown) => setCreated({ response, input })
      : undefined
    const { alsoChanges } = options
    const create = <CreateForm {...{ calls, onCreated, alsoChanges }} form={options.form} />
    const filterKeys = filters.map(each => each.key)
    return (
      <Page
        title={t(`${resource}.title`)}
        intro={options.intro ?? t(`${resource}.intro`)}
        actions={options.actions}
        primaryAction={create}
      >
        <DataTable
          {...{ resource, list, columns, order, filters }}
          get={calls.get}
          card={{ title: row => row.name, fields: card }}
          toolbar={csvExport && <CsvExportButton {...{ list, order, filterKeys, csvExport }} />}
          rowActions={row => (
            <RowActions {...{ calls, options, row }} edit={() => editDialog.open(row.id)} />
          )}
          {...(details && {
            drawer: (row: Row) => <RowDetails {...{ resource, row }} columns={details} />,
            drawerTitle: (row: Row) => row.name,
          })}
          {...(searchText && { searchText: (row: Row) => searchText(row, t) })}
          {...(bulkActions && {
            bulkActions: (selected: readonly RowKey[], clear: () => void) =>
              bulkActions(selected.map(Number), clear),
          })}
          empty={
            options.createWhenEmpty === false
              ? {}
              : { action: <CreateFormButton resource={resource} /> }
          }
        />
        {created &&
          options.createdDialog?.(
            created.response as Output<C['create']>,
            created.input as Input<C['create']>,
            () => setCreated(undefined),
          )}
        {editing && (
          <EditForm
            {...{ calls, alsoChanges, row: editing }}
            form={options.form}
            onClose={editDialog.close}
          />
        )}
      </Page>
    )
  }
  return CrudPage
}
