import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../paths.ts'

type Panel = { type: string; targets?: { expr: string }[] }

const read = (name: string) => readFileSync(join(root, 'deploy', name), 'utf8')

export const dashboardQueries = (): string[] => {
  const { panels } = JSON.parse(read('grafana-dashboard.json')) as { panels: Panel[] }
  return panels.flatMap(({ targets = [] }) => targets.map(each => each.expr))
}

const alertQueries = (): string[] =>
  [...read('prometheus-alerts.yaml').matchAll(/^ +expr: '(.*)'$/gm)].map(match => match[1]!)

/** The queries of the dashboard and of the alert rules. */
export const queriesOf = (): string[] => [...dashboardQueries(), ...alertQueries()]

export type Selector = {
  metric: string
  matchers: { label: string; operator: string; value: string }[]
  /** All labels that the query needs of this metric. */
  labels: string[]
}

/** Reads the metrics of a query, with the labels that it selects and groups by. */
export const selectorsOf = (query: string): Selector[] => {
  const grouped = [...query.matchAll(/\bby \(([^)]*)\)/g)].flatMap(match => match[1]!.split(/,\s*/))
  return [...query.matchAll(/\b((?:hub|http|process|nodejs)_\w+)(?:\{([^}]*)\})?/g)].map(
    ([, metric = '', inside = '']) => {
      const matchers = [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(
        ([, label = '', operator = '', value = '']) => ({ label, operator, value }),
      )
      return { metric, matchers, labels: [...matchers.map(each => each.label), ...grouped] }
    },
  )
}
