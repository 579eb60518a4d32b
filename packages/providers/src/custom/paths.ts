import { z } from 'zod'
import type { EndpointPath } from '../define.ts'

/** An address that names the version, such as `/v1`, `/api/v3` or `/v1beta/openai`. */
const versionedAddress = /\/v\d+\w*(\/openai)?\/*$/

/** The path as it is below this address. */
export const withoutVersion = (path: `/v1/${string}`, baseUrl: string): string =>
  versionedAddress.test(baseUrl) ? path.slice('/v1'.length) : path

/** The path of OpenAI's API. Its version is left out below an address that names one. */
export const versionedPath =
  (path: `/v1/${string}`): EndpointPath =>
  ({ baseUrl = '' }) =>
    withoutVersion(path, baseUrl)

export const isPath = (value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('/')

/** The path that the channel's options give to an operation. */
export const customizedPath = (operation: string, defaultPath: `/v1/${string}`): EndpointPath => {
  const versioned = versionedPath(defaultPath)
  return context => {
    const path = context.options.customize?.[operation]
    if (path === 'disable') return undefined
    if (isPath(path)) return path
    return typeof versioned === 'string' ? versioned : versioned(context)
  }
}

export const pathField = (label: string, defaultPath: string) =>
  z
    .string()
    .regex(/^(|disable|\/.*)$/)
    .optional()
    .meta({ label, help: `Empty: ${defaultPath}. disable: switched off.` })
