import { dirname, join, normalize } from 'node:path'
import { type Comment, parseSync, visitorKeys } from 'oxc-parser'

/** A node of the syntax tree; its other fields depend on `type`. */
export type SyntaxNode = { type: string; start: number; end: number; [field: string]: unknown }

export type Source = {
  path: string
  text: string
  program: SyntaxNode
  comments: Comment[]
  lineStarts: number[]
}

export const parseSource = (path: string, text: string): Source => {
  // A file with a syntax error is read as far as possible: the type check reports the error.
  const { program, comments } = parseSync(path, text)
  const lineStarts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1))
    lineStarts.push(at + 1)
  return { path, text, program: program as unknown as SyntaxNode, comments, lineStarts }
}

/** The line of an offset, counted from 1. */
export const lineOf = ({ lineStarts }: Source, offset: number): number => {
  let low = 0
  let high = lineStarts.length
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((lineStarts[middle] ?? 0) <= offset) low = middle
    else high = middle
  }
  return low + 1
}

export const isNode = (value: unknown): value is SyntaxNode =>
  typeof value === 'object' && value !== null && typeof (value as SyntaxNode).type === 'string'

/** Calls `visit` for each node below `node`, outermost first, with the ancestors of that node. */
export const walk = (
  node: SyntaxNode,
  visit: (node: SyntaxNode, ancestors: readonly SyntaxNode[]) => void,
  ancestors: SyntaxNode[] = [],
): void => {
  visit(node, ancestors)
  ancestors.push(node)
  for (const key of visitorKeys[node.type] ?? []) {
    const child = node[key]
    if (Array.isArray(child)) {
      for (const each of child) if (isNode(each)) walk(each, visit, ancestors)
    } else if (isNode(child)) walk(child, visit, ancestors)
  }
  ancestors.pop()
}

export type ImportedModule = {
  from: string
  /** A path from the root of the repository, or the name of a package. */
  target: string
  line: number
  typeOnly: boolean
  dynamic: boolean
  names: string[]
}

type Specifier = SyntaxNode & {
  imported?: { name?: string }
  local?: { name?: string }
  importKind?: string
  exportKind?: string
}

const specifierName = (each: Specifier): string => {
  const name = each.imported?.name ?? each.local?.name ?? ''
  return each.importKind === 'type' || each.exportKind === 'type' ? `type ${name}` : name
}

/** Every module that a file imports or exports from: statements, `import()` and `import('…').Type`. */
export const importsOfSource = (source: Source): ImportedModule[] => {
  const found: ImportedModule[] = []
  const add = (
    node: SyntaxNode,
    literal: unknown,
    { typeOnly = false, dynamic = false, names = [] as string[] },
  ) => {
    const name = isNode(literal) ? literal.value : undefined
    if (typeof name !== 'string') return
    const target = name.startsWith('.') ? normalize(join(dirname(source.path), name)) : name
    found.push({
      from: source.path,
      target,
      line: lineOf(source, node.start),
      typeOnly,
      dynamic,
      names,
    })
  }
  walk(source.program, node => {
    if (/^(Import|Export(Named|All))Declaration$/.test(node.type) && node.source)
      add(node, node.source, {
        typeOnly: node.importKind === 'type' || node.exportKind === 'type',
        names: ((node.specifiers as Specifier[] | undefined) ?? []).map(specifierName),
      })
    if (node.type === 'ImportExpression') add(node, node.source, { dynamic: true })
    if (node.type === 'TSImportType') add(node, node.source ?? node.argument, { typeOnly: true })
  })
  return found
}
