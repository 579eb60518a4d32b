import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

export const claudePackage = '@anthropic-ai/claude-code@2.1.332'
const runMs = 900_000

// biome-ignore lint/suspicious/noExplicitAny: lines of the client
export type Line = { type: string } & Record<string, any>

export type ClaudeRun = { code: number | null; lines: Line[]; errors: string }

/**
 * Runs one session, whose prompts are sent one after another, each after the result of the one before.
 * https://code.claude.com/docs/en/headless
 */
export const runClaude = async (
  folder: string,
  { home, url, key, model }: { home: string; url: string; key: string; model?: string },
  prompts: readonly string[],
): Promise<ClaudeRun> => {
  const work = join(home, 'work')
  mkdirSync(work, { recursive: true })
  const system = `claude-code-${process.platform}-${process.arch}`
  const program = join(folder, 'node_modules/@anthropic-ai', system, 'claude')
  const formats = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
  const named = model === undefined ? [] : ['--model', model]
  const words = ['-p', ...formats, ...named, '--allowedTools', 'Bash Task Agent']
  const child = spawn(program, words, {
    cwd: work,
    env: {
      ...{ PATH: process.env.PATH, HOME: home, TERM: 'dumb' },
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: key,
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      ...(model === undefined ? {} : { ANTHROPIC_DEFAULT_HAIKU_MODEL: model }),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: runMs,
  })
  const lines: Line[] = []
  let errors = ''
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const rest = [...prompts]
  const sendNext = () => {
    const text = rest.shift()
    if (text === undefined) return void child.stdin.end()
    const message = { role: 'user', content: [{ type: 'text', text }] }
    child.stdin.write(`${JSON.stringify({ type: 'user', message })}\n`)
  }
  createInterface({ input: child.stdout }).on('line', text => {
    const line: Line = JSON.parse(text)
    lines.push(line)
    if (line.type === 'result') sendNext()
  })
  sendNext()
  const [code] = await once(child, 'close')
  return { code, lines, errors }
}
