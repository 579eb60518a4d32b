import type { Administrator } from '../harness/admin.ts'
import type { CellRun } from './cell-run.ts'

type Row = { id: number; model_name: string; metadata: { notes?: string[] } }

/** The whole log, as an operator reads it. */
export const readRows = async (admin: Administrator): Promise<Row[]> => {
  const rows: Row[] = []
  for (let page = 1; ; page += 1) {
    const path = `/api/log/?page=${page}&size=100&order=id`
    const { data } = await admin.api<{ data: Row[] }>('GET', path)
    rows.push(...data)
    if (data.length < 100) return rows
  }
}

/** The log row must list every lost feature, and nothing else. */
export const checkLogNotes = (runs: readonly CellRun[], rows: readonly Row[]): void => {
  const byModel = new Map<string, Row[]>()
  for (const row of rows) byModel.set(row.model_name, [...(byModel.get(row.model_name) ?? []), row])
  for (const cellRun of runs) check(cellRun, byModel.get(cellRun.model) ?? [])
}

const check = (
  { caller, expected, feature, received, problems }: CellRun,
  rows: readonly Row[],
): void => {
  const notes = [...new Set(rows.flatMap(row => row.metadata.notes ?? []))]
  const text = received?.refusal?.message ?? ''
  for (const { how, pattern } of expected.applied) {
    if (!pattern) continue
    if (how === 'refused' && !pattern.test(text))
      problems.push(`refused with “${text}”, not ${pattern}`)
    if (how !== 'refused' && !notes.some(note => pattern.test(note)))
      problems.push(`no note says ${pattern}; there are [${notes.join('; ')}]`)
  }
  const known = (note: string) =>
    caller.additions?.notes?.test(note) ||
    expected.applied.some(({ pattern }) => pattern?.test(note))
  const unknown = notes.filter(note => !known(note))
  if (unknown.length > 0) problems.push(`notes that nobody expects: ${unknown.join('; ')}`)
  if (feature.name !== 'request-id' || problems.length > 0) return
  if (!rows.some(row => String(row.id) === received?.requestId))
    problems.push(`the log does not know the call ${received?.requestId || 'without an id'}`)
}
