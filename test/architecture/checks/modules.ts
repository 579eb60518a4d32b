import { contract } from '@hub/contract'
import { layers } from '../layers.ts'
import { codeOf, filesIn, foldersIn, has, isCode, read } from '../tree.ts'

/** Console pages that compose several resources and own none. */
const composedPages = ['dashboard', 'playground', 'home', 'about', 'not-found', 'notice']

/** Every resource of the contract has a feature on the server; every console feature has a resource. */
export const featureFindings = (): string[] => {
  const resources = Object.keys(contract)
  const serverFeatures = foldersIn('apps/server/src/features')
  const consoleFeatures = foldersIn('apps/console/src/features')
  return [
    ...resources
      .filter(each => !serverFeatures.includes(each))
      .map(each => `apps/server/src/features:1 add a folder for the resource \`${each}\``),
    ...serverFeatures
      .filter(each => !resources.includes(each))
      .map(each => `apps/server/src/features/${each}:1 name it like a resource of the contract`),
    ...consoleFeatures
      .filter(each => !resources.includes(each) && !composedPages.includes(each))
      .map(
        each =>
          `apps/console/src/features/${each}:1 name it like a resource, or list it in composedPages`,
      ),
  ]
}

const modules = () => [
  ...layers
    .filter(each => foldersIn('apps/server/src').includes(each))
    .map(each => `apps/server/src/${each}`),
  ...['contract', 'dialects', 'providers'].map(each => `packages/${each}`),
  'apps/server/src/auditor',
  'apps/console',
  'test',
  'test/upstream',
  'bench',
  'demo',
]

/** Every module has a README of at most 40 lines with a section or sentence called Rules. */
export const readmeFindings = (): string[] =>
  modules().flatMap(module => {
    const path = [`${module}/README.md`, `${module}/src/README.md`].find(has)
    if (!path) return [`${module}:1 write a README.md`]
    const text = read(path).trimEnd()
    const lines = text.split('\n').length
    return [
      ...(lines > 40 ? [`${path}:40 shorten it: it has ${lines} lines, at most 40 are read`] : []),
      ...(/\brules\b/i.test(text) ? [] : [`${path}:1 add what binds the module under **Rules**`]),
    ]
  })

type Ban = {
  pattern: RegExp
  why: string
  except: RegExp
  /** Also in the packages, which the server runs like its own code. */
  inPackages?: true
}

const bans: Ban[] = [
  {
    pattern: /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/,
    why: 'move SQL into db/',
    except: /\/src\/(db|auditor)\//,
  },
  {
    pattern: /sqlite|postgres|\bpg\b/i,
    why: 'move what depends on the engine into db/engines/',
    // The environment reads the address, and one file chooses the engine by it. Imports read databases of others.
    except: /\/src\/(db\/engines\/|db\/open\.ts|env\.ts|auditor\/|importer\/sources\/)/,
  },
  {
    pattern: /process\.env/,
    why: 'read the environment in env.ts only',
    except: /\/src\/env\.ts$/,
  },
  {
    pattern: /new Error\(/,
    why: 'throw a Fault',
    except: /\/src\/auditor\//,
  },
  {
    pattern:
      /\b(?:createHash|createHmac|hash)\('(?:md5|sha1)'|child_process|\beval\(|\bFunction\(|node:vm/,
    why: 'do not use what security.md bans',
    // Authenticator apps know HMAC-SHA-1 only, for which no attack exists: RFC 6238. Epay signs with MD5.
    except: /\/src\/(lib\/credentials\/totp|integrations\/payments\/md5-signature)\.ts$/,
    inPackages: true,
  },
  {
    pattern: /\bRegExp\(/,
    why: 'compare by prefix or equality: a pattern made of stored or received text may never end',
    // The verb, the attribute and the names are ours.
    except: /\/src\/(db\/engines\/sqlite\/snapshot|telegram-markup\/html|references\/needles)\.ts$/,
    inPackages: true,
  },
  {
    pattern: /Math\.random/,
    why: 'draw random numbers from node:crypto',
    // The order in which channels are tried is no secret.
    except: /\/src\/relay\/(routing\/[\w-]+|retry|channels\/\w+|virtual-models\/order)\.ts$/,
    inPackages: true,
  },
]

/** Code that is allowed in certain modules only. */
export const banFindings = (): string[] =>
  [...filesIn('apps/server/src'), ...filesIn('packages')].filter(isCode).flatMap(path => {
    const code = codeOf(path)
    const isPackage = path.startsWith('packages/')
    return bans
      .filter(({ inPackages }) => inPackages || !isPackage)
      .filter(({ pattern, except }) => !except.test(path) && pattern.test(code))
      .map(({ why, pattern }) => `${path}:1 ${why} (${pattern.exec(code)?.[0]})`)
  })
