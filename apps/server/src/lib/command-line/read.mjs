// Plain JavaScript: the scripts of npm read their arguments with it before any package is installed.
import { basename, dirname } from 'node:path'
import { parseArgs } from 'node:util'

const refusedCode = 2
const textWidth = 100

/** An installation has its programs in `dist`, behind one launcher; a checkout has npm. */
const commandOf = ({ name, command }) => {
  if (command) return command
  const program = process.argv[1] ?? ''
  if (basename(dirname(program)) === 'dist') return name === 'start' ? 'one-hub' : `one-hub ${name}`
  return ['start', 'test'].includes(name) ? `npm ${name}` : `npm run ${name}`
}

const withArguments = (command, args) =>
  args && command.startsWith('npm ') && !command.includes(' -- ')
    ? `${command} -- ${args}`
    : `${command} ${args}`.trim()

const optionText = ([name, { type, shown = 'text' }]) =>
  type === 'boolean' ? `--${name}` : `--${name} <${shown}>`

const optionsOf = ({ options = {} }) => ({ ...options, ...helpOption })
const helpOption = { help: { type: 'boolean', does: 'shows this text' } }

const wrapped = text =>
  text.replace(new RegExp(`(.{1,${textWidth}})(\\s+|$)`, 'g'), '$1\n').trimEnd()

const table = rows => {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`).join('\n')
}

/** The help of a program: usage, words, options, examples and exit codes. */
export const usageOf = program => {
  const { does, words, examples, exitCodes } = program
  const command = commandOf(program)
  const required = words?.min ? `<${words.shown}>` : words && `[${words.shown}]`
  const args = [required, Object.keys(program.options ?? {}).length ? '[options]' : '']
  const parts = [
    `Usage: ${withArguments(command, args.filter(Boolean).join(' '))}`,
    wrapped(does),
    words && `Words:\n${table([[words.shown, words.does]])}`,
    `Options:\n${table(Object.entries(optionsOf(program)).map(each => [optionText(each), each[1].does]))}`,
    `Examples:\n${table(examples.map(([text, comment]) => [withArguments(command, text), comment]))}`,
    `Exit codes:\n${table(Object.entries(exitCodes))}`,
  ]
  return `${parts.filter(Boolean).join('\n\n')}\n`
}

const refuse = (program, sentence) => {
  const help = withArguments(commandOf(program), '--help')
  process.stderr.write(`${sentence}; see ${help}\n`)
  process.exit(refusedCode)
}

const sentenceOf = ({ code, message }) => {
  const option = /'(-[^' ]*)/.exec(message)?.[1] ?? ''
  if (code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION') return `There is no option ${option}`
  return / argument missing|ambiguous/.test(message)
    ? `The option ${option} needs a value`
    : `The option ${option} takes no value`
}

const parse = (program, args) => {
  const options = Object.fromEntries(
    Object.entries(optionsOf(program)).map(([name, { type, multiple = false, fallback }]) => [
      name,
      { type, multiple, ...(fallback !== undefined && { default: fallback }) },
    ]),
  )
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch (error) {
    return refuse(program, sentenceOf(error))
  }
}

/** A value may be a list with commas. */
const checkValues = (program, values) => {
  for (const [name, { shown, oneOf }] of Object.entries(program.options ?? {})) {
    const texts = [values[name] ?? []].flat().filter(each => typeof each === 'string')
    if (shown === 'number' && texts.some(each => !/^\d+(\.\d+)?$/.test(each)))
      refuse(program, `The option --${name} needs a number`)
    const unknown =
      oneOf && texts.flatMap(each => each.split(',')).find(each => !oneOf.includes(each))
    if (unknown !== undefined)
      refuse(program, `The option --${name} knows ${oneOf.join(', ')}, not "${unknown}"`)
  }
}

const checkWords = (program, words) => {
  const { min = 0, max = 0, shown, oneOf } = program.words ?? {}
  const unknown = oneOf ? words.find(each => !oneOf.includes(each)) : words[max]
  if (unknown !== undefined && oneOf)
    refuse(program, `There is no "${unknown}", but ${oneOf.join(', ')}`)
  if (unknown !== undefined) refuse(program, `The word "${unknown}" means nothing here`)
  if (words.length < min) refuse(program, `It needs a ${shown}`)
}

/**
 * Reads the arguments of a program. `--help` prints the usage and ends the process with 0; an unknown word or option
 * ends it with 2. Nothing else may have happened by then.
 */
export const readCommandLine = (program, args = process.argv.slice(2)) => {
  const end = args.indexOf('--')
  const before = end < 0 ? args : args.slice(0, end)
  if (before.some(each => each === '--help' || each === '-h')) {
    process.stdout.write(usageOf(program))
    process.exit(0)
  }
  const { values, positionals } = parse(program, args)
  checkWords(program, positionals)
  checkValues(program, values)
  return {
    words: positionals,
    flag: name => values[name] === true,
    text: name => (typeof values[name] === 'string' ? values[name] : ''),
    texts: name => values[name] ?? [],
  }
}
