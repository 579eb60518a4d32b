import AddIcon from 'virtual:icons/add'
import DeleteIcon from 'virtual:icons/delete'
import type { Price } from '@hub/contract'
import Autocomplete from '@mui/material/Autocomplete'
import Button from '@mui/material/Button'
import IconButton from '@mui/material/IconButton'
import InputAdornment from '@mui/material/InputAdornment'
import OutlinedInput from '@mui/material/OutlinedInput'
import Stack from '@mui/material/Stack'
import TextField from '@mui/material/TextField'
import { useState } from 'react'
import { commonTools, isSecond, toolName, toRatio } from '../../../domain/index.ts'
import { useT } from '../../../ui/index.ts'

type Tools = NonNullable<Price['tool_prices']>
type Props = {
  id: string
  value: Price['tool_prices']
  set: (value: Price['tool_prices']) => void
}

/** Prices in dollars per tool call or second of video, for models that differ from the standard price. */
export const ToolsField = ({ id, value, set }: Props) => {
  const t = useT()
  const [drafts, setDrafts] = useState<Record<string, string>>({})
  const tools: Tools = value ?? {}
  const setTools = (next: Tools) => set(Object.keys(next).length > 0 ? next : null)
  const setText = (tool: string, text: string) => {
    setDrafts({ ...drafts, [tool]: text })
    const usd = toRatio(text, { unit: 'ratio', scale: 'k' })
    // Invalid text becomes NaN, so that the schema refuses it and the old value is not saved.
    setTools({ ...tools, [tool]: usd === undefined ? Number.NaN : Number(usd) })
  }
  const remove = (tool: string) =>
    setTools(Object.fromEntries(Object.entries(tools).filter(([each]) => each !== tool)))
  return (
    <Stack spacing={1} id={id}>
      {Object.keys(tools).map(tool => (
        <Stack key={tool} direction="row" spacing={1} sx={{ alignItems: 'center' }}>
          <span style={{ flex: 2, minWidth: 0, overflowWrap: 'anywhere' }}>
            {toolName(t, tool)}
          </span>
          <OutlinedInput
            value={drafts[tool] ?? String(tools[tool])}
            error={Number.isNaN(tools[tool])}
            startAdornment={<InputAdornment position="start">$</InputAdornment>}
            inputProps={{
              inputMode: 'decimal',
              'aria-label': `${toolName(t, tool)} ${t(isSecond(tool) ? 'prices.tool.usdSecond' : 'prices.tool.usd')}`,
            }}
            onChange={event => setText(tool, event.target.value)}
            sx={{ flex: 1, minWidth: 96 }}
          />
          <IconButton
            aria-label={t('prices.tool.remove', { kind: toolName(t, tool) })}
            onClick={() => remove(tool)}
          >
            <DeleteIcon fontSize="small" />
          </IconButton>
        </Stack>
      ))}
      <AddTool tools={tools} add={name => setTools({ ...tools, [name]: 0 })} />
    </Stack>
  )
}

const AddTool = ({ tools, add }: { tools: Tools; add: (name: string) => void }) => {
  const t = useT()
  const [kind, setKind] = useState('')
  const submit = () => {
    const name = kind.trim()
    if (name === '' || name in tools) return
    add(name)
    setKind('')
  }
  return (
    <Stack direction="row" spacing={1} sx={{ alignItems: 'center' }}>
      <Autocomplete
        freeSolo
        size="small"
        sx={{ flex: 1, minWidth: 0 }}
        options={commonTools.filter(each => !(each in tools))}
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
      <Button
        color="inherit"
        startIcon={<AddIcon />}
        disabled={kind.trim() === ''}
        onClick={submit}
      >
        {t('prices.tool.add')}
      </Button>
    </Stack>
  )
}
