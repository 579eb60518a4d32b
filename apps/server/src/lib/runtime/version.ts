import server from '../../../package.json' with { type: 'json' }

/** The bundler puts it in; the sources alone do not know their commit. */
declare const BUILT_COMMIT: string

const commit = typeof BUILT_COMMIT === 'string' ? BUILT_COMMIT : ''

/** Such as `0.2.0-dev+1a2b3c4d`. */
export const version: string = commit === '' ? server.version : `${server.version}+${commit}`
