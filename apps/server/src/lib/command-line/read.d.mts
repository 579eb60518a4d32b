export type ProgramOption = {
  type: 'string' | 'boolean'
  multiple?: boolean
  /** The value without the option. */
  fallback?: string
  /** The name of the value in the usage. */
  shown?: string
  /** The values that are known; a list with commas is checked part by part. */
  oneOf?: readonly string[]
  does: string
}

export type Program = {
  name: string
  /** How it is started, unless `npm run` and the launcher of an installation know it by its name. */
  command?: string
  does: string
  words?: { shown: string; does: string; min: number; max: number; oneOf?: readonly string[] }
  options?: Record<string, ProgramOption>
  /** Arguments, and what they do. */
  examples: readonly (readonly [args: string, comment: string])[]
  exitCodes: Record<number, string>
}

export type CommandLine = {
  words: string[]
  flag(name: string): boolean
  /** Empty without the option. */
  text(name: string): string
  texts(name: string): string[]
}

export function usageOf(program: Program): string
export function readCommandLine(program: Program, args?: string[]): CommandLine
