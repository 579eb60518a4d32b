import { isSecretSetting } from '@hub/contract'
import Box from '@mui/material/Box'
import OutlinedInput from '@mui/material/OutlinedInput'
import Tab from '@mui/material/Tab'
import Tabs from '@mui/material/Tabs'
import { useState } from 'react'
import { PointsInput } from '../../domain/index.ts'
import { type FieldOverride, Markdown, mono, useT } from '../../ui/index.ts'
import { ChatLinksField } from './chat-links-field.tsx'
import { SecretField } from './secret-field.tsx'
import type { SettingValues } from './values.ts'

type TextProps = {
  id: string
  describedBy: string | undefined
  invalid: boolean
  label: string
  value: string
  set: (text: string) => void
}

/** An editor for Markdown or HTML with a preview. */
const MarkdownField = ({ id, describedBy, invalid, label, value, set }: TextProps) => {
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
          inputProps={{ 'aria-describedby': describedBy }}
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

/** A time zone, with suggestions from the browser. */
const TimeZone = ({ id, describedBy, invalid, value, set }: TextProps) => (
  <>
    <OutlinedInput
      id={id}
      fullWidth
      value={value}
      error={invalid}
      placeholder="Asia/Shanghai"
      inputProps={{ list: `${id}-zones`, 'aria-describedby': describedBy }}
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
  (Control: (props: TextProps) => React.ReactNode): NonNullable<FieldOverride['render']> =>
  ({ id, describedBy, error, label, value, set }) => (
    <Control
      {...{ id, describedBy, label, set }}
      invalid={Boolean(error)}
      value={String(value ?? '')}
    />
  )

const markdownField: FieldOverride = { render: asText(MarkdownField) }

/** The settings that need more than the control of their schema type. */
export const useSettingFields = (stored: SettingValues): Record<string, FieldOverride> => ({
  ...secretFields(stored),
  Notice: markdownField,
  About: markdownField,
  HomePageContent: markdownField,
  Footer: markdownField,
  TimeZone: { render: asText(TimeZone) },
  ChatLinks: {
    render: ({ id, value, set }) => (
      <ChatLinksField id={id} value={String(value ?? '')} set={set} />
    ),
  },
  DisableChannelKeywords: { as: 'multiline', rows: 6 },
  SafeKeyWords: { as: 'multiline', rows: 6 },
  AnalyticsCode: { as: 'multiline', rows: 4 },
  AnalyticsHosts: { as: 'text' },
  QuotaForNewUser: { control: PointsInput },
  QuotaForInviter: { control: PointsInput },
  QuotaForInvitee: { control: PointsInput },
  QuotaRemindThreshold: { control: PointsInput },
  SMTPServer: { placeholder: 'smtp.example.com' },
  SystemName: { as: 'text' },
  GroupRatio: { as: 'code', rows: 5 },
  ExtraTokenPriceJson: { as: 'code', rows: 8 },
  DefaultPrice: { as: 'text', placeholder: '–' },
})

/** Every secret has the same control, so that a declared one needs no line here. */
const secretFields = (stored: SettingValues): Record<string, FieldOverride> =>
  Object.fromEntries(
    Object.keys(stored)
      .filter(isSecretSetting)
      .map(key => [key, { render: props => <SecretSetting {...props} stored={stored[key]} /> }]),
  )

type RenderProps = Parameters<NonNullable<FieldOverride['render']>>[0]

const SecretSetting = ({
  id,
  describedBy,
  error,
  value,
  set,
  stored,
}: RenderProps & { stored: SettingValues[string] | undefined }) => (
  <SecretField
    {...{ id, describedBy, set }}
    invalid={Boolean(error)}
    value={String(value ?? '')}
    isStored={stored !== ''}
  />
)
