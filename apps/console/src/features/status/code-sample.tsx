import Box from '@mui/material/Box'
import ToggleButton from '@mui/material/ToggleButton'
import ToggleButtonGroup from '@mui/material/ToggleButtonGroup'
import { useState } from 'react'
import { useSite } from '../../api'
import { makeCurlCommand, serverAddress } from '../../domain/server-address.ts'
import { CopyButton, mono, useT } from '../../ui'

const key = 'sk-…'
const model = 'gpt-4o-mini'

const samples: Record<string, (server: string) => string> = {
  curl: server => makeCurlCommand(server, key, model),
  Python: server =>
    [
      'from openai import OpenAI',
      '',
      'client = OpenAI(',
      `    base_url="${server}/v1",`,
      `    api_key="${key}",`,
      ')',
      'response = client.chat.completions.create(',
      `    model="${model}",`,
      '    messages=[{"role": "user", "content": "Hello"}],',
      ')',
      'print(response.choices[0].message.content)',
    ].join('\n'),
  'Node.js': server =>
    [
      "import OpenAI from 'openai'",
      '',
      'const client = new OpenAI({',
      `  baseURL: '${server}/v1',`,
      `  apiKey: '${key}',`,
      '})',
      'const response = await client.chat.completions.create({',
      `  model: '${model}',`,
      "  messages: [{ role: 'user', content: 'Hello' }],",
      '})',
      'console.log(response.choices[0].message.content)',
    ].join('\n'),
  'Claude Code': server =>
    [`export ANTHROPIC_BASE_URL=${server}`, `export ANTHROPIC_AUTH_TOKEN=${key}`, 'claude'].join(
      '\n',
    ),
}

/** A first call with the address of this site, for the usual clients. */
export const CodeSample = () => {
  const t = useT()
  const site = useSite()
  const [client, setClient] = useState('curl')
  const text = samples[client]?.(serverAddress(site.server_address)) ?? ''
  return (
    <Box
      component="section"
      aria-label={t('status.sample')}
      sx={{
        ...{ border: '1px solid', borderColor: 'divider', borderRadius: '12px', minWidth: 0 },
        ...{ bgcolor: 'background.paper', overflow: 'hidden' },
      }}
    >
      <Box
        sx={{
          ...{ display: 'flex', alignItems: 'center', gap: 1, p: 1, pl: 1.5 },
          ...{ borderBottom: '1px solid', borderColor: 'divider' },
        }}
      >
        <ToggleButtonGroup
          exclusive
          size="small"
          value={client}
          aria-label={t('status.client')}
          onChange={(_, next: string | null) => next && setClient(next)}
          sx={{
            flex: 1,
            flexWrap: 'wrap',
            '& button': { px: 1.25, py: 0.5, textTransform: 'none' },
          }}
        >
          {Object.keys(samples).map(name => (
            <ToggleButton key={name} value={name}>
              {name}
            </ToggleButton>
          ))}
        </ToggleButtonGroup>
        <CopyButton text={text} what={client} />
      </Box>
      <Box
        component="pre"
        aria-label={client}
        sx={{
          ...{ m: 0, p: 2, minHeight: 232, fontFamily: mono },
          ...{ fontSize: 12.5, lineHeight: 1.7, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' },
        }}
      >
        {text}
      </Box>
    </Box>
  )
}
