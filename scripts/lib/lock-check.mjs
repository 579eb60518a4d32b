// npm writes a lock that `npm ci` refuses if optional binaries of a package were not yet published. This check finds
// such entries right after an install.
import { readFileSync } from 'node:fs'

const packages = JSON.parse(readFileSync('package-lock.json', 'utf8')).packages

const resolves = (from, name) => {
  for (let base = from; ; ) {
    if (packages[`${base ? `${base}/` : ''}node_modules/${name}`]) return true
    if (!base) return false
    const cut = base.lastIndexOf('/node_modules/')
    base = cut < 0 ? '' : base.slice(0, cut)
  }
}

for (const [path, entry] of Object.entries(packages)) {
  for (const name of Object.keys(entry.optionalDependencies ?? {})) {
    if (resolves(path, name)) continue
    console.error(`${path} ${entry.version} lacks ${name}: pin another version`)
    process.exitCode = 1
  }
}
