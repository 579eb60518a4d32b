import type { ImportedModule } from '../source.ts'

type Graph = Map<string, ImportedModule[]>

const graphOf = (imports: ImportedModule[]): Graph => {
  const graph: Graph = new Map()
  for (const each of imports) {
    const known = graph.get(each.from)
    if (known) known.push(each)
    else graph.set(each.from, [each])
  }
  return graph
}

/** Files that reach each other: the strongly connected components, by Tarjan's algorithm. */
const components = (graph: Graph): string[][] => {
  const index = new Map<string, number>()
  const lowest = new Map<string, number>()
  const stack: string[] = []
  const onStack = new Set<string>()
  const found: string[][] = []
  const visit = (path: string): void => {
    index.set(path, index.size)
    lowest.set(path, index.get(path) ?? 0)
    stack.push(path)
    onStack.add(path)
    for (const { target } of graph.get(path) ?? []) {
      if (!graph.has(target)) continue
      if (!index.has(target)) {
        visit(target)
        lowest.set(path, Math.min(lowest.get(path) ?? 0, lowest.get(target) ?? 0))
      } else if (onStack.has(target))
        lowest.set(path, Math.min(lowest.get(path) ?? 0, index.get(target) ?? 0))
    }
    if (lowest.get(path) !== index.get(path)) return
    const component = stack.splice(stack.lastIndexOf(path))
    for (const each of component) onStack.delete(each)
    found.push(component)
  }
  for (const path of graph.keys()) if (!index.has(path)) visit(path)
  return found
}

/** The shortest way from `start` back to itself. */
const shortestCycle = (graph: Graph, start: string): ImportedModule[] => {
  const cameBy = new Map<string, ImportedModule>()
  const queue = [start]
  for (let path = queue.shift(); path; path = queue.shift())
    for (const each of graph.get(path) ?? []) {
      if (each.target === start) {
        const way = [each]
        for (let at = cameBy.get(each.from); at; at = cameBy.get(at.from)) way.unshift(at)
        return way
      }
      if (cameBy.has(each.target)) continue
      cameBy.set(each.target, each)
      queue.push(each.target)
    }
  return []
}

/** One shortest cycle through each file that is part of one; type-only imports count. */
export const cycleFindings = (imports: ImportedModule[]): string[] => {
  const graph = graphOf(imports)
  const reported = new Set<string>()
  const findings: string[] = []
  const inCycle = components(graph).filter(
    ([first, ...others]) =>
      others.length > 0 || graph.get(first ?? '')?.some(each => each.target === first),
  )
  for (const path of inCycle.flat().sort()) {
    const cycle = shortestCycle(graph, path)
    const files = cycle.map(each => each.from)
    const key = [...files].sort().join(' ')
    if (!cycle[0] || reported.has(key)) continue
    reported.add(key)
    const types = cycle.some(each => each.typeOnly) ? ' (with type-only imports)' : ''
    findings.push(
      `${path}:${cycle[0].line} break the import cycle ${[...files, path].join(' → ')}${types}`,
    )
  }
  return findings
}
