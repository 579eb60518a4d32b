import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../api/index.ts'
import { Page, useChoice, useT } from '../../ui/index.ts'
import { changeOf, priceOf } from './changes.ts'
import { type Days, ScenarioForm } from './form.tsx'
import { Result } from './result.tsx'
import { useReplay } from './use-replay.ts'
import { useScenario } from './use-scenario.ts'

/** Recalculates past requests with other prices; no data is changed. */
export const SimulatorPage = () => {
  const t = useT()
  const { data: prices = [] } = useQuery(query(api.prices.list, {}))
  const { data: groups } = useQuery(query(api.groups.list, { size: 100 }))
  const [chosenDays, setDays] = useChoice<Days>('days', ['7', '1', '30', '90'])
  const days = Number(chosenDays)
  const { changes, setChanges, ratios, setRatios } = useScenario(prices)
  const { replay, run, stop } = useReplay()

  const start = () =>
    run({
      days,
      prices: changes.map(priceOf),
      groups: ratios.map(({ symbol, ratio }) => ({ symbol, ratio: Number(ratio) })),
    })
  const addPrice = (model: string) => {
    const price = prices.find(each => each.model === model)
    if (price) setChanges([...changes, changeOf(price)])
  }
  const addGroup = (symbol: string) => {
    const group = groups?.data.find(each => each.symbol === symbol)
    if (group) setRatios([...ratios, { symbol, ratio: String(group.ratio) }])
  }
  const unchanged = {
    models: prices
      .map(each => each.model)
      .filter(model => !changes.some(c => c.price.model === model)),
    groups: (groups?.data ?? []).filter(
      ({ symbol }) => !ratios.some(each => each.symbol === symbol),
    ),
  }
  return (
    <Page title={t('simulator.title')} intro={t('simulator.intro')}>
      <ScenarioForm
        {...{
          days,
          setDays,
          changes,
          setChanges,
          ratios,
          setRatios,
          addPrice,
          addGroup,
          unchanged,
        }}
        isRunning={replay?.isRunning ?? false}
        start={() => void start()}
        stop={stop}
      />
      {replay && <Result replay={replay} />}
    </Page>
  )
}
