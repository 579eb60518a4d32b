import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useState } from 'react'
import { type FieldLook, Markdown, mono, useT } from '../../ui/index.ts'
import { ChatLinksField } from './chat-links-field.tsx'
import { SecretField } from './secret-field.tsx'
import type { SettingValues } from './values.ts'

type TextProps = {
  id: string
  described: string | undefined
  invalid: boolean
  label: string
  value: string
  set: (text: string) => void
}

/** Markdown or HTML, and what it looks like to those who read it. */
const PageText = ({ id, described, invalid, label, value, set }: TextProps) => {
  const t = useT()
  const [tab, setTab] = useState<'write' | 'preview'>('write')
  return (
    <Box
      sx={{
        border: '1px solid',
        borderColor: invalid ? 'error.main' : 'divider',
        borderRadius: '8px',
      }}
    >
      <Tabs
        value={tab}
        onChange={(_, next: typeof tab) => setTab(next)}
        aria-label={label}
        sx={{
          minHeight: 36,
          px: 1,
          borderBottom: '1px solid',
          borderColor: 'divider',
          '& .MuiTab-root': { minHeight: 36, py: 0 },
        }}
      >
        <Tab value="write" label={t('settings.text.write')} />
        <Tab value="preview" label={t('settings.text.preview')} disabled={value.trim() === ''} />
      </Tabs>
      {tab === 'write' ? (
        <OutlinedInput
          id={id}
          fullWidth
          multiline
          minRows={4}
          maxRows={18}
          value={value}
          inputProps={{ 'aria-describedby': described }}
          onChange={event => set(event.target.value)}
          sx={{ fontFamily: mono, fontSize: 13, '& fieldset': { border: 0 } }}
        />
      ) : (
        <Box sx={{ p: 2, minHeight: 104 }}>
          <Markdown text={value} title={label} />
        </Box>
      )}
    </Box>
  )
}

/** Zones that this browser knows, as suggestions. */
const TimeZone = ({ id, described, invalid, value, set }: TextProps) => (
  <>
    <OutlinedInput
      id={id}
      fullWidth
      value={value}
      error={invalid}
      placeholder="Asia/Shanghai"
      inputProps={{ list: `${id}-zones`, 'aria-describedby': described }}
      onChange={event => set(event.target.value)}
    />
    <datalist id={`${id}-zones`}>
      {Intl.supportedValuesOf('timeZone').map(zone => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  </>
)

const asText =
  (Control: (props: TextProps) => React.ReactNode): NonNullable<FieldLook['render']> =>
  ({ id, described, error, label, value, set }) => (
    <Control
      {...{ id, described, label, set }}
      invalid={Boolean(error)}
      value={String(value ?? '')}
    />
  )

const page: FieldLook = { render: asText(PageText) }

/** Most settings are drawn from their schema; these want more than a line. */
export const useSettingFields = (stored: SettingValues): Record<string, FieldLook> => ({
  Notice: page,
  About: page,
  HomePageContent: page,
  Footer: page,
  TimeZone: { render: asText(TimeZone) },
  ChatLinks: {
    render: ({ id, value, set }) => (
      <ChatLinksField id={id} value={String(value ?? '')} set={set} />
    ),
  },
  DisableChannelKeywords: { as: 'multiline', rows: 6 },
  QuotaForNewUser: { as: 'points' },
  QuotaForInviter: { as: 'points' },
  QuotaForInvitee: { as: 'points' },
  QuotaRemindThreshold: { as: 'points' },
  SMTPServer: { placeholder: 'smtp.example.com' },
  SMTPToken: {
    render: ({ id, described, error, value, set }) => (
      <SecretField
        {...{ id, described, set }}
        invalid={Boolean(error)}
        value={String(value ?? '')}
        isStored={stored.SMTPToken !== ''}
      />
    ),
  },
  SystemName: { as: 'text' },
  DefaultPrice: { as: 'text', placeholder: '–' },
})
