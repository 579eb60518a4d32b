import type { Price } from '@hub/contract'
import AddIcon from '@mui/icons-material/AddOutlined'
import DeleteIcon from '@mui/icons-material/DeleteOutlined'
import Autocomplete from '@mui/material/Autocomplete'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { toRatio, useT } from '../../../ui/index.ts'
import { toolName, usualTools } from '../tools.ts'

type Tools = NonNullable<Price['tool_prices']>
type Props = {
  id: string
  value: Price['tool_prices']
  set: (value: Price['tool_prices']) => void
}

/** Dollars for one call of a tool, where a model has a price of its own. */
export const ToolsField = ({ id, value, set }: Props) => {
  const t = useT()
  const [texts, setTexts] = useState<Record<string, string>>({})
  const [kind, setKind] = useState('')
  const tools: Tools = value ?? {}
  const put = (next: Tools) => set(Object.keys(next).length > 0 ? next : null)
  const type = (of: string, text: string) => {
    setTexts({ ...texts, [of]: text })
    const usd = toRatio(text, { unit: 'ratio', scale: 'k' })
    // What is no number is kept as such, so that the schema refuses it instead of the old value standing in.
    put({ ...tools, [of]: usd === undefined ? Number.NaN : Number(usd) })
  }
  const remove = (of: string) =>
    put(Object.fromEntries(Object.entries(tools).filter(([each]) => each !== of)))
  const add = () => {
    const name = kind.trim()
    if (name === '' || name in tools) return
    put({ ...tools, [name]: 0 })
    setKind('')
  }
  return (
    <Stack spacing={1} id={id}>
      {Object.keys(tools).map(of => (
        <Stack key={of} direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <span style={{ flex: 2, minWidth: 0, overflowWrap: 'anywhere' }}>{toolName(t, of)}</span>
          <OutlinedInput
            value={texts[of] ?? String(tools[of])}
            error={Number.isNaN(tools[of])}
            startAdornment={<InputAdornment position="start">$</InputAdornment>}
            inputProps={{
              inputMode: 'decimal',
              'aria-label': `${toolName(t, of)} ${t('prices.tool.usd')}`,
            }}
            onChange={event => type(of, event.target.value)}
            sx={{ flex: 1, minWidth: 96 }}
          />
          <IconButton
            aria-label={t('prices.tool.remove', { kind: toolName(t, of) })}
            onClick={() => remove(of)}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Stack>
      ))}
      <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
        <Autocomplete
          freeSolo
          size="small"
          sx={{ flex: 1, minWidth: 0 }}
          options={usualTools.filter(each => !(each in tools))}
          getOptionLabel={each => each}
          renderOption={({ key, ...props }, each) => (
            <li key={key} {...props}>
              {toolName(t, each)}
            </li>
          )}
          inputValue={kind}
          clearText={t('common.clear')}
          openText={t('common.show')}
          closeText={t('common.close')}
          onInputChange={(_, text) => setKind(text)}
          renderInput={params => (
            <TextField
              {...params}
              placeholder={t('prices.tool.kind')}
              slotProps={{
                ...params.slotProps,
                htmlInput: { ...params.slotProps.htmlInput, 'aria-label': t('prices.tool.kind') },
              }}
            />
          )}
        />
        <Button color="inherit" startIcon={<AddIcon />} disabled={kind.trim() === ''} onClick={add}>
          {t('prices.tool.add')}
        </Button>
      </Stack>
    </Stack>
  )
}
