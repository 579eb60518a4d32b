import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, useAction } from '../../api'
import { curlOf, serverAddress } from '../../api/server-address.ts'
import { CopyButton, Field, mono, useSite, useT } from '../../ui'

/** A call with one's own token: its key is fetched on a click and kept nowhere but here. */
export const useExample = (made?: { id: number; key: string }) => {
  const site = useSite()
  const tokens = useQuery(query(api.tokens.list, { page: 1, size: 30 })).data?.data
  const models = useQuery(query(api.models.available)).data
  const reveal = useAction([], api.tokens.reveal)
  const [tokenId, setTokenId] = useState<number | undefined>(undefined)
  const [model, setModel] = useState<string | undefined>(undefined)
  const [fetched, setFetched] = useState<{ id: number; key: string } | undefined>(undefined)

  const usable = tokens?.filter(each => each.status === 1) ?? []
  const token = usable.find(each => each.id === (tokenId ?? made?.id)) ?? usable[0]
  const names = Object.keys(models ?? {}).toSorted()
  const chosen = model ?? names[0]
  const key = [fetched, made].find(each => each && each.id === token?.id)?.key
  const server = serverAddress(site.server_address)
  const revealed = async () => {
    if (key || !token) return key
    const reply = await reveal({ id: token.id })
    if (reply) setFetched({ id: token.id, key: reply.key })
    return reply?.key
  }
  return {
    isLoading: tokens === undefined,
    usable,
    token,
    names,
    chosen,
    setTokenId,
    setModel,
    isRevealed: key !== undefined,
    isRevealing: reveal.isPending,
    reveal: revealed,
    text: curlOf(server, key ?? token?.key ?? 'sk-…', chosen ?? 'gpt-4o-mini'),
    full: async () => {
      const whole = await revealed()
      return whole && curlOf(server, whole, chosen ?? '')
    },
  }
}
type Example = ReturnType<typeof useExample>

export const CopyExample = ({ example }: { example: Example }) => (
  <CopyButton what="curl" text={example.full} />
)

export const ExampleBody = ({ example }: { example: Example }) => {
  const t = useT()
  const { usable, token, names, chosen } = example
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
          choose={value => example.setTokenId(Number(value))}
        />
        {names.length > 0 && (
          <Choice
            label={t('dashboard.model')}
            value={chosen ?? ''}
            options={names.map(name => ({ value: name, label: name }))}
            choose={example.setModel}
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
  options: { value: string | number; label: string }[]
  choose: (value: string) => void
}

const Choice = ({ label, value, options, choose }: ChoiceProps) => (
  <Field label={label}>
    {({ id }) => (
      <Select
        id={id}
        labelId={`${id}-label`}
        fullWidth
        value={value}
        onChange={event => choose(String(event.target.value))}
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
