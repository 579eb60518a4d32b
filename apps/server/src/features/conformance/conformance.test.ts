import { beforeAll, expect, it } from 'vitest'
import { onBothEnginesInLongRuns, type TestApp } from '../../../test/harness.ts'

onBothEnginesInLongRuns('conformance', open => {
  let hub: TestApp
  beforeAll(async () => {
    hub = await open()
  })

  it('anybody reads the grid, and it is whole: its counts are those of its cells', async () => {
    const { status, body } = await hub.guest().get('/api/conformance')
    expect([status, body.success]).toEqual([200, true])
    const { callers, upstreams, features, counts, versions } = body.data
    const cells = features.flatMap((each: { cells: object }) => Object.entries(each.cells))
    expect(cells.length).toBeGreaterThan(0)
    const count = (state: string) =>
      cells.filter(([, cell]: [string, { state: string }]) => cell.state === state).length
    expect({ ok: count('ok'), note: count('note'), refused: count('refused') }).toEqual(counts)
    const names = callers.flatMap((caller: { id: string }) =>
      upstreams.map(({ dialect }: { dialect: string }) => `${caller.id}>${dialect}`),
    )
    expect(
      cells.map(([name]: [string]) => name).filter((name: string) => !names.includes(name)),
    ).toEqual([])
    for (const client of callers.flatMap((each: { client: string }) => each.client.split(', ')))
      expect(versions[client]).toMatch(/^\d/)
  })

  it('what is not there as it should be is told: no cell without a reason and its document', async () => {
    const { body } = await hub.guest().get('/api/conformance')
    const bare = body.data.features.flatMap(({ name, cells }: { name: string; cells: object }) =>
      Object.entries(cells)
        .filter(([, { state, why, source }]) => (state === 'ok' ? why && !source : !why || !source))
        .map(([cell]) => `${name}: ${cell}`),
    )
    expect(bare).toEqual([])
  })

  it('it is documented', async () => {
    const { body } = await hub.guest().get('/api/openapi.json')
    expect(body.paths['/api/conformance'].get.summary).toContain('dialect')
  })
})
