import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { node } from '../../../harness/paths.ts'
import { claudePackage } from '../agents/run-claude.ts'

/** The folders in which a client runs, and the gateway that it calls. */
export type Workplace = { packages: string; home: string; work: string; url: string; key: string }
/** One prompt: the first begins the session, each further one continues it. */
export type PromptRun = {
  model: string
  prompt: string
  isFirst: boolean
  image?: string | undefined
}
export type Launch = { words: string[]; env: Record<string, string>; input?: string }

export type Program = {
  name: string
  packageName: string
  caller: 'anthropic' | 'openai-responses' | 'gemini' | 'openai-chat'
  sendsImages: boolean
  /** The model edits files in its words, since the client offers no tools. */
  writesEdits?: true
  /** Installs the client, where npm does not have it. False: it is not to be had on this machine. */
  install?(packages: string): boolean
  launch(place: Workplace, ask: PromptRun): Launch
}

const inPackages = ({ packages }: Workplace, file: string) => join(packages, 'node_modules', file)

/** https://code.claude.com/docs/en/headless */
const claudeCode: Program = {
  name: 'Claude Code',
  packageName: claudePackage,
  caller: 'anthropic',
  sendsImages: true,
  launch: (place, { model, prompt, isFirst, image }) => {
    const system = `claude-code-${process.platform}-${process.arch}`
    const formats = ['--input-format', 'stream-json', '--output-format', 'stream-json', '--verbose']
    const shown = image && {
      type: 'image',
      source: {
        type: 'base64',
        media_type: 'image/png',
        data: readFileSync(image).toString('base64'),
      },
    }
    const content = [{ type: 'text', text: prompt }, ...(shown ? [shown] : [])]
    return {
      words: [
        inPackages(place, `@anthropic-ai/${system}/claude`),
        ...['-p', ...formats, '--model', model, ...(isFirst ? [] : ['--continue'])],
        ...['--allowedTools', 'Bash Write Edit Read'],
      ],
      env: {
        ANTHROPIC_BASE_URL: place.url,
        ANTHROPIC_API_KEY: place.key,
        ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
        CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      },
      input: `${JSON.stringify({ type: 'user', message: { role: 'user', content } })}\n`,
    }
  },
}

/** https://developers.openai.com/codex/config-reference */
const codex: Program = {
  name: 'Codex',
  packageName: '@openai/codex@0.171.0',
  caller: 'openai-responses',
  sendsImages: true,
  launch: (place, { model, prompt, isFirst, image }) => {
    const settings = `model = "${model}"
check_for_update_on_startup = false
model_provider = "hub"
[model_providers.hub]
name = "hub"
base_url = "${place.url}/v1"
env_key = "CODEX_API_KEY"
wire_api = "responses"
`
    writeFileSync(join(place.home, 'config.toml'), settings)
    const flags = ['--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--json']
    return {
      words: [
        ...[node, inPackages(place, '@openai/codex/bin/codex.js'), 'exec'],
        ...(isFirst ? [] : ['resume', '--last']),
        ...(image ? ['-i', image] : []),
        ...[...flags, prompt],
      ],
      env: { CODEX_HOME: place.home, CODEX_API_KEY: place.key },
    }
  },
}

const writeJson = (folder: string, file: string, value: object) => {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, file), JSON.stringify(value))
}

/** https://github.com/google-gemini/gemini-cli/blob/main/docs/cli/headless.md */
const geminiCli: Program = {
  name: 'Gemini CLI',
  packageName: '@google/gemini-cli@0.61.0',
  caller: 'gemini',
  sendsImages: true,
  launch: (place, { model, prompt, isFirst, image }) => {
    writeJson(join(place.home, '.gemini'), 'settings.json', {
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
    })
    return {
      words: [
        ...[node, inPackages(place, '.bin/gemini'), '-m', model, '--yolo', '--skip-trust'],
        ...(isFirst ? [] : ['--resume', 'latest']),
        ...['-p', image ? `${prompt} @image.png` : prompt],
      ],
      env: { GOOGLE_GEMINI_BASE_URL: place.url, GEMINI_API_KEY: place.key },
    }
  },
}

/** https://opencode.ai/docs/providers/#custom-provider */
const opencode: Program = {
  name: 'opencode',
  packageName: 'opencode-ai@1.18.33',
  caller: 'openai-chat',
  sendsImages: true,
  launch: (place, { model, prompt, isFirst, image }) => {
    const modalities = { input: ['text', 'image'], output: ['text'] }
    const limit = { context: 200_000, output: 8_000 }
    writeJson(place.work, 'opencode.json', {
      provider: {
        hub: {
          npm: '@ai-sdk/openai-compatible',
          name: 'hub',
          options: { baseURL: `${place.url}/v1`, apiKey: place.key },
          models: {
            [model]: { name: model, attachment: true, tool_call: true, modalities, limit },
          },
        },
      },
      small_model: `hub/${model}`,
      autoupdate: false,
      share: 'disabled',
    })
    const system = `opencode-${process.platform}-${process.arch}`
    return {
      words: [
        ...[inPackages(place, `${system}/bin/opencode`), 'run', '--auto', '-m', `hub/${model}`],
        ...(isFirst ? [] : ['--continue']),
        ...[prompt, ...(image ? ['-f', image] : [])],
      ],
      env: { OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
    }
  },
}

/** https://github.com/QwenLM/qwen-code */
const qwenCode: Program = {
  name: 'Qwen Code',
  packageName: '@qwen-code/qwen-code@0.24.4',
  caller: 'openai-chat',
  sendsImages: true,
  launch: (place, { model, prompt, isFirst, image }) => {
    const provider = {
      ...{ id: model, name: model, envKey: 'OPENAI_API_KEY', baseUrl: `${place.url}/v1` },
      generationConfig: { modalities: { image: true } },
    }
    writeJson(join(place.home, '.qwen'), 'settings.json', {
      security: { auth: { selectedType: 'openai' } },
      privacy: { usageStatisticsEnabled: false },
      general: { disableAutoUpdate: true },
      // It sends images to models only that it knows, or whose provider says so.
      modelProviders: { openai: [provider] },
    })
    return {
      words: [
        ...[node, inPackages(place, '.bin/qwen'), '-m', model, '--yolo'],
        ...(isFirst ? [] : ['--continue']),
        ...['-p', image ? `${prompt} @image.png` : prompt],
      ],
      env: {
        OPENAI_BASE_URL: `${place.url}/v1`,
        OPENAI_API_KEY: place.key,
        OPENAI_MODEL: model,
      },
    }
  },
}

/** https://aider.chat/docs/scripting.html */
const aider: Program = {
  name: 'aider',
  packageName: 'aider-chat==0.86.2',
  caller: 'openai-chat',
  // It sends images to models only whose names it knows.
  sendsImages: false,
  writesEdits: true,
  install: packages => {
    const folder = join(packages, 'aider')
    const run = (file: string, ...words: string[]) =>
      spawnSync(file, words, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0
    return (
      run('python3', '-m', 'venv', folder) &&
      run(join(folder, 'bin/pip'), 'install', '--quiet', aider.packageName)
    )
  },
  launch: (place, { model, prompt, isFirst }) => {
    const settings = join(place.home, 'models.json')
    // Kimi models refuse aider's temperature of 0: https://aider.chat/docs/config/adv-model-settings.html
    const refusesTemperature = model.startsWith('kimi-')
    writeJson(place.home, 'models.json', [
      { name: `openai/${model}`, use_temperature: !refusesTemperature },
    ])
    return {
      words: [
        ...[join(place.packages, 'aider/bin/aider'), '--model', `openai/${model}`],
        ...['--model-settings-file', settings],
        ...['--weak-model', `openai/${model}`, '--edit-format', 'diff', '--yes-always', '--no-git'],
        ...['--no-check-update', '--no-show-model-warnings', '--analytics-disable', '--no-pretty'],
        ...(isFirst ? [] : ['--restore-chat-history']),
        ...['--message', prompt, 'note.txt', 'list.txt', 'names.txt'],
      ],
      env: { OPENAI_API_BASE: `${place.url}/v1`, OPENAI_API_KEY: place.key },
    }
  },
}

export const programs: readonly Program[] = [
  ...[claudeCode, codex, geminiCli, opencode, qwenCode, aider],
]
