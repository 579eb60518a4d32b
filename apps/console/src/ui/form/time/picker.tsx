import { AdapterDayjs } from '@mui/x-date-pickers/AdapterDayjs'
import { DateTimePicker } from '@mui/x-date-pickers/DateTimePicker'
import { LocalizationProvider } from '@mui/x-date-pickers/LocalizationProvider'
import { enUS, jaJP, zhCN, zhHK } from '@mui/x-date-pickers/locales'
import dayjs from 'dayjs'
import 'dayjs/locale/ja.js'
import 'dayjs/locale/zh-cn.js'
import 'dayjs/locale/zh-hk.js'
import timezone from 'dayjs/plugin/timezone.js'
import utc from 'dayjs/plugin/utc.js'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { siteTimeZone } from '../../../api/site.ts'
import type { Language } from '../../../locales/language.ts'
import type { TimeInputProps } from '../types.ts'

dayjs.extend(utc)
dayjs.extend(timezone)

const locales: Record<Language, { calendar: string; month: string; texts: typeof enUS }> = {
  zh_CN: { calendar: 'zh-cn', month: 'YYYY年M月', texts: zhCN },
  zh_HK: { calendar: 'zh-hk', month: 'YYYY年M月', texts: zhHK },
  en_US: { calendar: 'en', month: 'MMMM YYYY', texts: enUS },
  ja_JP: { calendar: 'ja', month: 'YYYY年M月', texts: jaJP },
}

/** The names of hours and minutes are what is visible, which voice control needs; their lists have names of their own. */
const twoDigits = (figure: string) => figure.padStart(2, '0')

/** The picker has an input of its own, which the theme's overrides of `OutlinedInput` do not reach. */
const fieldStyle = {
  '& .MuiPickersOutlinedInput-root': { borderRadius: '8px', bgcolor: 'background.paper' },
  '& .MuiPickersOutlinedInput-root:not(.Mui-focused, .Mui-error) .MuiPickersOutlinedInput-notchedOutline':
    { borderColor: 'divider' },
}

/** The picker itself, in its own chunk because most pages are read without it. Years before 1970 are not committed. */
const TimePicker = ({ id, value, set, label, ...state }: TimeInputProps) => {
  const { invalid = false, disabled = false, clearable = false, describedBy } = state
  const { i18n } = useTranslation()
  const { calendar, month, texts } = locales[i18n.language as Language] ?? locales.zh_CN
  const timeZone = siteTimeZone()
  const time = useMemo(
    () => (value === undefined ? null : dayjs.unix(value).tz(timeZone)),
    [value, timeZone],
  )
  const name = label === undefined ? { 'aria-labelledby': `${id}-label` } : { 'aria-label': label }
  return (
    <LocalizationProvider
      dateAdapter={AdapterDayjs}
      adapterLocale={calendar}
      localeText={{
        ...texts.components.MuiLocalizationProvider.defaultProps.localeText,
        hoursClockNumberText: twoDigits,
        minutesClockNumberText: twoDigits,
      }}
    >
      <DateTimePicker
        value={time}
        timezone={timeZone}
        format="YYYY-MM-DD HH:mm"
        ampm={false}
        desktopModeMediaQuery="@media (pointer: fine) and (min-width: 600px)"
        disabled={disabled}
        minDateTime={dayjs.unix(0)}
        onChange={(next, { validationError }) => {
          if (!validationError) set(next ? next.startOf('minute').unix() : undefined)
        }}
        slotProps={{
          field: { clearable },
          popper: name,
          calendarHeader: { format: month },
          textField: {
            id,
            fullWidth: true,
            size: 'small',
            sx: fieldStyle,
            ...(invalid && { error: true }),
            slotProps: { input: { ...name, 'aria-describedby': describedBy } },
          },
        }}
      />
    </LocalizationProvider>
  )
}

export default TimePicker
