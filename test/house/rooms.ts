import { contract } from '@hub/contract'
import { stairs } from './stairs.ts'
import { codeOf, filesIn, foldersIn, has, isCode, read } from './tree.ts'

/** Console pages that compose several resources and own none. */
const composing = ['dashboard', 'playground', 'home', 'about', 'not-found', 'notice']

/** Check 4: a resource has a feature of its name on the server; a console feature has a resource. */
export const featureFindings = (): string[] => {
  const resources = Object.keys(contract)
  const served = foldersIn('apps/server/src/features')
  const shown = foldersIn('apps/console/src/features')
  return [
    ...resources
      .filter(each => !served.includes(each))
      .map(each => `the resource \`${each}\` has no folder in apps/server/src/features`),
    ...served
      .filter(each => !resources.includes(each))
      .map(each => `apps/server/src/features/${each} is no resource of the contract`),
    ...shown
      .filter(each => !resources.includes(each) && !composing.includes(each))
      .map(each => `apps/console/src/features/${each} is no resource and no composing page`),
  ]
}

const rooms = () => [
  ...stairs
    .filter(each => foldersIn('apps/server/src').includes(each))
    .map(each => `apps/server/src/${each}`),
  ...['contract', 'dialects', 'providers'].map(each => `packages/${each}`),
  'apps/server/src/auditor',
  'apps/console',
  'test',
  'test/upstream',
  'bench',
]

/** Check 5: every room says what it is for and what binds it, in at most 40 lines. */
export const readmeFindings = (): string[] =>
  rooms().flatMap(room => {
    const path = [`${room}/README.md`, `${room}/src/README.md`].find(has)
    if (!path) return [`${room} has no README.md`]
    const lines = read(path).trimEnd().split('\n')
    return [
      ...(lines.length > 40 ? [`${path} has ${lines.length} lines, at most 40 are read`] : []),
      ...(/\blaw\b/i.test(lines.join('\n')) ? [] : [`${path} does not say its law`]),
    ]
  })

type Ban = { pattern: RegExp; why: string; except: RegExp }

const bans: Ban[] = [
  {
    pattern: /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql`/,
    why: 'speaks SQL outside db/',
    except: /\/src\/(db|auditor)\//,
  },
  {
    pattern: /sqlite|postgres|\bpg\b/i,
    why: 'asks which engine runs',
    // The environment says which address is meant, and one file chooses by it.
    except: /\/src\/(db\/engines\/|db\/open\.ts|db\/README|env\.ts|auditor\/)/,
  },
  {
    pattern: /process\.env/,
    why: 'reads the environment beside env.ts',
    except: /\/src\/env\.ts$/,
  },
  {
    pattern: /new Error\(/,
    why: 'throws something else than a Fault',
    except: /\/src\/auditor\//,
  },
  {
    pattern: /createHash\('md5'\)|child_process|\beval\(|new Function\(|node:vm/,
    why: 'uses what security.md bans',
    except: /^$/,
  },
  {
    pattern: /Math\.random/,
    why: 'draws numbers that can be guessed',
    // Which channel is tried first is no secret.
    except: /\/src\/relay\/(retry|channels\/\w+)\.ts$/,
  },
]

/** Check 6: things that may be done in one room only. */
export const banFindings = (): string[] =>
  filesIn('apps/server/src')
    .filter(isCode)
    .flatMap(path => {
      const code = codeOf(path)
      return bans
        .filter(({ pattern, except }) => !except.test(path) && pattern.test(code))
        .map(({ why, pattern }) => `${path} ${why} (${pattern.exec(code)?.[0]})`)
    })
