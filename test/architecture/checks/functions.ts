import { lineOf, type Source, type SyntaxNode, walk } from '../source.ts'
import { isTest } from '../tree.ts'

const limit = 80

const functionTypes = new Set([
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
])

type Named = { name?: string; value?: string; id?: Named; key?: Named }

const nameOf = (node: SyntaxNode, parent: SyntaxNode | undefined): string => {
  const holder = parent as unknown as Named | undefined
  return (
    (node.id as Named | null)?.name ??
    holder?.id?.name ??
    holder?.key?.name ??
    holder?.key?.value ??
    'a function'
  )
}

const rootCallee = (node: SyntaxNode): string | undefined => {
  let callee: SyntaxNode | undefined = node
  while (callee && callee.type !== 'Identifier')
    callee = (callee.callee ?? callee.object ?? callee.tag) as SyntaxNode | undefined
  return callee?.name as string | undefined
}

const isTestCallback = (parent: SyntaxNode | undefined) =>
  parent?.type === 'CallExpression' && /^(describe|it|test)/.test(rootCallee(parent) ?? '')

/** Functions over 80 lines, from their first line to their last, with everything inside. */
export const functionFindings = (source: Source): string[] => {
  const findings: string[] = []
  walk(source.program, (node, ancestors) => {
    const parent = ancestors.at(-1)
    if (node.type === 'TSTypeReference' && (node.typeName as Named).name === 'ThisType')
      findings.push(
        `${source.path}:${lineOf(source, node.start)} replace the object literal with ThisType by a class`,
      )
    if (!functionTypes.has(node.type)) return
    if (isTest(source.path) && isTestCallback(parent)) return
    const first = lineOf(source, node.start)
    const lines = lineOf(source, node.end) - first + 1
    if (lines > limit)
      findings.push(
        `${source.path}:${first} split \`${nameOf(node, parent)}\`: it has ${lines} lines, at most ${limit} are read`,
      )
  })
  return findings
}

/** Promises that leave a scope with a disposable before they end: what they work with is disposed of meanwhile. */
export const disposalFindings = (source: Source): string[] => {
  const findings: string[] = []
  /** Where the first disposable of each function begins. */
  const begins = new Map<SyntaxNode, number>()
  walk(source.program, (node, ancestors) => {
    const owner = ancestors.findLast(each => functionTypes.has(each.type))
    if (!owner) return
    if (node.type === 'VariableDeclaration' && /using$/.test(String(node.kind)))
      begins.set(owner, Math.min(begins.get(owner) ?? node.start, node.start))
    const begin = begins.get(owner)
    if (node.type !== 'ReturnStatement' || !owner.async || begin === undefined) return
    const returned = node.argument as SyntaxNode | null
    if (node.start > begin && returned && mayBePromise(returned))
      findings.push(
        `${source.path}:${lineOf(source, node.start)} await what is returned: the scope has a disposable`,
      )
  })
  return findings
}

const mayBePromise = (node: SyntaxNode): boolean => {
  if (node.type === 'ConditionalExpression')
    return [node.consequent, node.alternate].some(each => mayBePromise(each as SyntaxNode))
  return node.type === 'CallExpression'
}
