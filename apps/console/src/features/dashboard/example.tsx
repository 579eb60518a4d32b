import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, query, useSite } from '../../api'
import { ModelName } from '../../domain'
import { makeCurlCommand, serverAddress } from '../../domain/server-address.ts'
import { CopyButton, Field, mono, useAction, useT } from '../../ui'

/** An example call with the user's own token; the full key is fetched on request and kept in component state only. */
export const useExample = (created?: { id: number; key: string }) => {
  const site = useSite()
  const tokens = useQuery(query(api.tokens.list, { page: 1, size: 30 })).data?.data
  const models = useQuery(query(api.models.available)).data
  const reveal = useAction([], api.tokens.reveal)
  const [tokenId, setTokenId] = useState<number | undefined>(undefined)
  const [model, setModel] = useState<string | undefined>(undefined)
  const [fetched, setFetched] = useState<{ id: number; key: string } | undefined>(undefined)

  const usable = tokens?.filter(each => each.status === 1) ?? []
  const token = usable.find(each => each.id === (tokenId ?? created?.id)) ?? usable[0]
  const names = Object.keys(models ?? {}).toSorted()
  const selected = model ?? names[0]
  const key = [fetched, created].find(each => each && each.id === token?.id)?.key
  const server = serverAddress(site.server_address)
  const revealKey = async () => {
    if (key || !token) return key
    const response = await reveal({ id: token.id })
    if (response) setFetched({ id: token.id, key: response.key })
    return response?.key
  }
  return {
    isLoading: tokens === undefined,
    usable,
    token,
    names,
    selected,
    setTokenId,
    setModel,
    isRevealed: key !== undefined,
    isRevealing: reveal.isPending,
    reveal: revealKey,
    text: makeCurlCommand(server, key ?? token?.key ?? 'sk-…', selected ?? 'gpt-4o-mini'),
    full: async () => {
      const fullKey = await revealKey()
      return fullKey && makeCurlCommand(server, fullKey, selected ?? '')
    },
  }
}
type Example = ReturnType<typeof useExample>

export const CopyExample = ({ example }: { example: Example }) => (
  <CopyButton what="curl" text={example.full} />
)

export const ExampleBody = ({ example }: { example: Example }) => {
  const t = useT()
  const { usable, token, names, selected } = example
  const options = usable.map(({ id, name }) => ({ value: id, label: name }))
  return (
    <>
      <Stack
        direction={{ xs: 'column', sm: 'row' }}
        spacing={1.5}
        sx={{ mb: 1.5, '& > *': { flex: 1, minWidth: 0 } }}
      >
        <Choice
          label={t('dashboard.token')}
          value={token?.id ?? ''}
          options={options}
          onSelect={value => example.setTokenId(Number(value))}
        />
        {names.length > 0 && (
          <Choice
            label={t('dashboard.model')}
            value={selected ?? ''}
            options={names.map(name => ({ value: name, label: <ModelName name={name} /> }))}
            onSelect={example.setModel}
          />
        )}
      </Stack>
      <Box component="pre" tabIndex={0} aria-label="curl" sx={snippet}>
        {example.text}
      </Box>
      {!example.isRevealed && token && (
        <Button
          size="small"
          loading={example.isRevealing}
          onClick={() => void example.reveal()}
          sx={{ mt: 1 }}
        >
          {t('dashboard.reveal')}
        </Button>
      )}
    </>
  )
}

const snippet = {
  m: 0,
  p: 1.75,
  borderRadius: '8px',
  bgcolor: 'background.default',
  border: '1px solid',
  borderColor: 'divider',
  fontFamily: mono,
  fontSize: 12,
  lineHeight: 1.7,
  whiteSpace: 'pre-wrap',
  overflowWrap: 'anywhere',
}

type ChoiceProps = {
  label: string
  value: string | number
  options: { value: string | number; label: ReactNode }[]
  onSelect: (value: string) => void
}

const Choice = ({ label, value, options, onSelect }: ChoiceProps) => (
  <Field label={label}>
    {({ id }) => (
      <Select
        id={id}
        labelId={`${id}-label`}
        fullWidth
        value={value}
        onChange={event => onSelect(String(event.target.value))}
      >
        {options.map(each => (
          <MenuItem key={each.value} value={each.value}>
            {each.label}
          </MenuItem>
        ))}
      </Select>
    )}
  </Field>
)
