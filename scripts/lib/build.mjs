import { consoleBuild } from './console-build.mjs'
import { getNode } from './node.mjs'
import { serverBuild } from './server-build.mjs'

const builds = { console: consoleBuild, server: serverBuild }

/** Builds what is missing, or older than its sources, and says what it builds. */
export const buildAll = async () => {
  for (const [name, { isBuilt, build }] of Object.entries(builds)) {
    if (isBuilt()) continue
    process.stdout.write(`Building the ${name} …\n`)
    await build(getNode())
  }
}
