import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './node.mjs'

/** Parts of other projects that are copied into this one and are no packages of it. */
const copied = [
  {
    type: 'library',
    name: '@lobehub/icons-static-svg',
    version: '1.95.1',
    description: 'Marks of providers and model families in apps/console/public/marks',
    licenses: [{ license: { id: 'MIT' } }],
    purl: 'pkg:npm/%40lobehub/icons-static-svg@1.95.1',
  },
  {
    type: 'data',
    name: 'Inter',
    version: '4.1',
    description: 'Typeface of the console, a subset in apps/console/public/fonts',
    licenses: [{ license: { id: 'OFL-1.1' } }],
  },
  {
    type: 'data',
    name: 'Noto Sans CJK SC',
    version: '2.004',
    description: 'Font of invoices, a subset in apps/server/assets/fonts',
    licenses: [{ license: { id: 'OFL-1.1' } }],
  },
]

const read = name => JSON.parse(readFileSync(join(root, name), 'utf8'))

const purlOf = (name, version) => `pkg:npm/${name.replace('@', '%40')}@${version}`

/** A licence of the SPDX list, or an expression of several. */
const licensesOf = license => {
  if (!license) return {}
  return {
    licenses: [/[ (]/.test(license) ? { expression: license } : { license: { id: license } }],
  }
}

/** The lock has checksums in Base64, CycloneDX in hexadecimal. */
const hashesOf = integrity => {
  const [algorithm, digest] = integrity.split('-', 2)
  const content = Buffer.from(digest, 'base64').toString('hex')
  return [{ alg: algorithm.replace('sha', 'SHA-'), content }]
}

const componentOf = ([path, { version, integrity, license, optional }]) => {
  const name = path.split('node_modules/').at(-1)
  const purl = purlOf(name, version)
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    scope: optional ? 'optional' : 'required',
    hashes: hashesOf(integrity),
    ...licensesOf(license),
    purl,
  }
}

/**
 * The packages and copied parts of a release with versions, licences and checksums, as CycloneDX: https://cyclonedx.org/docs/1.5/json/.
 * It is read from the lock, because `npm sbom --omit=dev` leaves out each package that a tool of the tests needs too.
 * Equal locks give equal lists.
 */
export const componentList = () => {
  const { version, license } = read('package.json')
  const locked = Object.entries(read('package-lock.json').packages).filter(
    ([path, { dev, link }]) => path.includes('node_modules/') && !dev && !link,
  )
  const packages = new Map(
    locked.map(each => componentOf(each)).map(each => [each['bom-ref'], each]),
  )
  const purl = purlOf('one-hub', version)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        type: 'application',
        'bom-ref': purl,
        name: 'one-hub',
        version,
        ...licensesOf(license),
        purl,
      },
    },
    components: [...packages.values(), ...copied],
  }
}
