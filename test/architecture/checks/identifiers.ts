import { lineOf, type Source, type SyntaxNode, walk } from '../source.ts'
import {
  allowedNames,
  forbiddenFileNames,
  forbiddenNames,
  forbiddenProps,
  forbiddenWords,
  foreignNames,
} from '../words.ts'

const partsOf = (name: string): string[] =>
  name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g)?.map(each => each.toLowerCase()) ?? []

const singleWords = new Map<string, string>()
const sequences: { parts: string[]; word: string; standard: string }[] = []
for (const [word, standard] of forbiddenWords) {
  const parts = partsOf(word)
  if (parts.length === 1) singleWords.set(word, standard)
  else sequences.push({ parts, word, standard })
}

/** The forbidden word in a name, with the word to use instead. */
const forbiddenPart = (name: string): { word: string; standard: string } | undefined => {
  const parts = partsOf(name)
  for (const part of parts) {
    const standard = singleWords.get(part)
    if (standard) return { word: part, standard }
  }
  return sequences.find(({ parts: sequence }) =>
    parts.some((_, at) => sequence.every((part, index) => parts[at + index] === part)),
  )
}

type Declared = { name: string; start: number; prop: boolean }

const nameOf = (node: unknown): string | undefined => {
  const { type, name } = (node ?? {}) as { type?: string; name?: string }
  return type === 'Identifier' ? name : undefined
}

const declaringTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ClassDeclaration',
  'ClassExpression',
  'TSTypeAliasDeclaration',
  'TSInterfaceDeclaration',
  'TSEnumDeclaration',
])

const memberTypes = new Set([
  'TSPropertySignature',
  'TSMethodSignature',
  'PropertyDefinition',
  'MethodDefinition',
])

/** Names that a pattern binds: `{ a: b, ...c } = …` binds b and c. */
const boundNames = (pattern: unknown): SyntaxNode[] => {
  const node = pattern as SyntaxNode | null | undefined
  switch (node?.type) {
    case 'Identifier':
      return [node]
    case 'AssignmentPattern':
      return boundNames(node.left)
    case 'RestElement':
      return boundNames(node.argument)
    case 'ArrayPattern':
      return (node.elements as unknown[]).flatMap(boundNames)
    case 'ObjectPattern':
      return (node.properties as SyntaxNode[]).flatMap(each =>
        boundNames(each.type === 'Property' ? each.value : each),
      )
    default:
      return []
  }
}

/** Every name that a file declares; names that it only uses are declared elsewhere. */
const declaredIn = (source: Source): Declared[] => {
  const found: Declared[] = []
  const isComponentFile = /^apps\/console\/.*\.tsx$/.test(source.path)
  const add = (node: unknown, prop = false) => {
    const name = nameOf(node)
    if (name) found.push({ name, start: (node as SyntaxNode).start, prop })
  }
  walk(source.program, (node, ancestors) => {
    if (declaringTypes.has(node.type)) add(node.id)
    if (memberTypes.has(node.type) && !node.computed)
      add(node.key, isComponentFile && node.type === 'TSPropertySignature')
    if (node.type === 'VariableDeclarator') for (const each of boundNames(node.id)) add(each)
    if (node.type === 'CatchClause') for (const each of boundNames(node.param)) add(each)
    if (Array.isArray(node.params)) for (const each of node.params.flatMap(boundNames)) add(each)
    if (node.type === 'Property' && ancestors.at(-1)?.type === 'ObjectExpression')
      if (!node.computed && !node.shorthand) add(node.key)
    if (node.type === 'ImportSpecifier' && nameOf(node.imported) !== nameOf(node.local))
      add(node.local)
    if (node.type === 'ExportSpecifier' && nameOf(node.exported) !== nameOf(node.local))
      add(node.exported)
    if (node.type === 'ImportNamespaceSpecifier' || node.type === 'ImportDefaultSpecifier')
      add(node.local)
  })
  return found
}

/** A landed migration names the columns of its day; a later one renames them. */
const isMigration = (path: string) => path.startsWith('apps/server/src/db/migrations/')

export const identifierFindings = (source: Source, allowed = allowedNames): string[] =>
  declaredIn(source).flatMap(({ name, start, prop }) => {
    if (isMigration(source.path)) return []
    const standard =
      forbiddenNames.get(name) ??
      (prop ? forbiddenProps.get(name) : undefined) ??
      forbiddenPart(name)?.standard
    if (!standard || foreignNames.has(name) || allowed.includes(`${source.path}: ${name}`))
      return []
    return [`${source.path}:${lineOf(source, start)} rename \`${name}\` (${standard})`]
  })

/** Files and folders whose names contain a forbidden word; each is reported once. */
export const fileNameFindings = (paths: string[], allowed = allowedNames): string[] => {
  const segments = new Map<string, string>()
  for (const path of paths) {
    const names = path.split('/')
    names.forEach((name, at) => {
      segments.set(names.slice(0, at + 1).join('/'), name.replace(/(\.(test|spec))?\.\w+$/, ''))
    })
  }
  return [...segments].flatMap(([path, name]) => {
    const standard = forbiddenFileNames.get(name) ?? forbiddenPart(name)?.standard
    if (!standard || allowed.includes(`${path}: ${name}`)) return []
    return [`${path}:1 rename the file or folder \`${name}\` (${standard})`]
  })
}
