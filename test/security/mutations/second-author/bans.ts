import type { SecurityMutation } from '../mutation.ts'

const test = 'test/architecture.test.ts'
const title = 'SQL, engine names, the environment and bare errors stay in their modules'

/** Each writes something that security.md bans into a package that the server runs. */
export const banMutations: readonly SecurityMutation[] = [
  {
    ids: ['S7'],
    file: 'packages/providers/src/sigv4.ts',
    find: "import { createHash, createHmac } from 'node:crypto'",
    replace:
      "import { execFile } from 'node:child_process'\nimport { createHash, createHmac } from 'node:crypto'\n\nexport const run = execFile",
    test,
    title,
  },
  {
    ids: ['S8'],
    file: 'packages/contract/src/innermost.ts',
    find: "import { z } from 'zod'",
    replace:
      "import { runInNewContext } from 'node:vm'\nimport { z } from 'zod'\n\nexport const render = runInNewContext",
    test,
    title,
  },
  {
    ids: ['C25'],
    file: 'packages/dialects/src/vendor-rules/tool-call-ids.ts',
    find: "import { createHash } from 'node:crypto'",
    replace:
      "import { createHash } from 'node:crypto'\n\nexport const readLoosely = (text: string) => eval(text)",
    test,
    title,
  },
  {
    ids: ['C28'],
    file: 'packages/providers/src/name-set.ts',
    find: 'export const hasName',
    replace:
      'export const fits = (pattern: string, name: string) => new RegExp(pattern).test(name)\n\nexport const hasName',
    test,
    title,
  },
  {
    ids: ['C35'],
    file: 'packages/providers/src/stability/form.ts',
    find: "createHash('sha256')",
    replace: "createHash('md5')",
    test,
    title,
  },
]
