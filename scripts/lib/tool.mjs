import { join } from 'node:path'
import { environment, getNode, root, run } from './node.mjs'

/** Runs a program of the installation on the Node that the lock ships, and answers its exit code. */
export const tool = (name, args, env = {}, options = {}) => {
  const node = getNode()
  const program = name === 'node' ? node : join(root, 'node_modules/.bin', name)
  return run(program, args, { ...options, env: environment(node, env) })
}
