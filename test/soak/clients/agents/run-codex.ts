import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node } from '../../../harness/paths.ts'

export const codexPackage = '@openai/codex@0.169.0'
const runMs = 120_000

// biome-ignore lint/suspicious/noExplicitAny: lines of the client
export type Line = { type: string } & Record<string, any>

export type CodexTurn = { code: number | null; lines: Line[]; errors: string }

// https://developers.openai.com/codex/config-reference
const settingsOf = (
  url: string,
  model: string,
) => `${model && `model = "${model}"\n`}check_for_update_on_startup = false
model_provider = "hub"
[model_providers.hub]
name = "hub"
base_url = "${url}/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"
`

/** Runs one session: the first prompt begins it, and each further one resumes it. */
export const runCodex = async (
  folder: string,
  { home, url, key, model }: { home: string; url: string; key: string; model: string },
  prompts: readonly string[],
): Promise<CodexTurn[]> => {
  const work = join(home, 'work')
  mkdirSync(work, { recursive: true })
  writeFileSync(join(home, 'config.toml'), settingsOf(url, model))
  const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json']
  const turns: CodexTurn[] = []
  for (const prompt of prompts) {
    const resume = turns.length > 0 ? ['resume', '--last'] : []
    const program = join(folder, 'node_modules/@openai/codex/bin/codex.js')
    const child = spawn(node, [program, 'exec', ...resume, ...flags, prompt], {
      cwd: work,
      env: { PATH: process.env.PATH, HOME: home, CODEX_HOME: home, CODEX_API_KEY: key },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: runMs,
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
    })
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk
    })
    const [code] = await once(child, 'close')
    const lines = output.split('\n').filter(each => each.startsWith('{'))
    turns.push({ code, lines: lines.map(each => JSON.parse(each)), errors })
  }
  return turns
}
