import { lineOf, type Source, type SyntaxNode } from '../source.ts'

type Declared = { path: string; line: number; name: string; exported: boolean }

/** A component's props and the rows of a table are local by convention. */
const conventional = new Set(['Props'])

const declares = (node: SyntaxNode) =>
  node.type === 'TSTypeAliasDeclaration' || node.type === 'TSInterfaceDeclaration'

export const typesOf = (source: Source): Declared[] => {
  const body = source.program.body as SyntaxNode[]
  const exportedLater = new Set(
    body
      .filter(node => node.type === 'ExportNamedDeclaration' && !node.source)
      .flatMap(node => (node.specifiers as { local: { name: string } }[]) ?? [])
      .map(({ local }) => local.name),
  )
  return body.flatMap(statement => {
    const inner = statement.declaration as SyntaxNode | null | undefined
    const node = inner && declares(inner) ? inner : statement
    if (!declares(node)) return []
    const { name } = node.id as unknown as { name: string }
    return [
      {
        path: source.path,
        line: lineOf(source, node.start),
        name,
        exported: node !== statement || exportedLater.has(name),
      },
    ]
  })
}

/** Names of types that one package declares with different meanings. */
export const typeNameFindings = (sources: Source[]): string[] => {
  const byName = new Map<string, Declared[]>()
  for (const each of sources.flatMap(typesOf)) {
    const known = byName.get(each.name)
    if (known) known.push(each)
    else byName.set(each.name, [each])
  }
  return [...byName].flatMap(([name, all]) => {
    const exported = all.filter(each => each.exported)
    const listed = exported.length > 1 ? exported : all
    const files = new Set(listed.map(each => each.path))
    if (exported.length < 2 && (files.size < 3 || conventional.has(name))) return []
    return listed.map(
      ({ path, line }) =>
        `${path}:${line} name \`${name}\` by its meaning: ${listed.length} files of this package declare a type of that name`,
    )
  })
}

/** The package or application that a file belongs to, where a type name has one meaning. */
export const packageOf = (path: string): string =>
  /^(apps|packages)\/[^/]+/.exec(path)?.[0] ?? path.split('/')[0] ?? ''
