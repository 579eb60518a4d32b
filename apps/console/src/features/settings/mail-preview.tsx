import type { MailPreview as Preview } from '@hub/contract'
import { mailTemplates } from '@hub/contract'
import Box from '@mui/material/Box'
import Button from '@mui/material/Button'
import DialogActions from '@mui/material/DialogActions'
import DialogContent from '@mui/material/DialogContent'
import DialogTitle from '@mui/material/DialogTitle'
import MenuItem from '@mui/material/MenuItem'
import Select from '@mui/material/Select'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, useSite } from '../../api/index.ts'
import { languageNames, languages } from '../../locales/language.ts'
import { Dialog } from '../../ui/feedback/dialog.tsx'
import { ErrorState, Field, useDialog, useT } from '../../ui/index.ts'

/** Every e-mail that the product sends, with sample values, in the language of the reader. */
export const MailPreview = () => {
  const t = useT()
  const { isOpen, open, close } = useDialog('mail-preview')
  return (
    <>
      <Button variant="outlined" color="inherit" onClick={() => open()}>
        {t('settings.preview.open')}
      </Button>
      <Dialog open={isOpen} onClose={close} maxWidth="sm" fullWidth>
        <DialogTitle>{t('settings.preview.title')}</DialogTitle>
        <DialogContent>
          <Templates />
        </DialogContent>
        <DialogActions>
          <Button onClick={close}>{t('common.close')}</Button>
        </DialogActions>
      </Dialog>
    </>
  )
}

const Templates = () => {
  const t = useT()
  const site = useSite()
  const [template, setTemplate] = useState<Preview['template']>('code')
  const [language, setLanguage] = useState<Preview['language']>(site.language)
  const { data, error, refetch } = useQuery(query(api.settings.mailTemplates))
  if (error) return <ErrorState error={error} retry={() => void refetch()} />
  const shown = data?.find(each => each.template === template && each.language === language)
  return (
    <Stack spacing={2}>
      <Field label={t('settings.fields.template')}>
        {({ id }) => (
          <Select
            id={id}
            fullWidth
            value={template}
            onChange={event => setTemplate(event.target.value as Preview['template'])}
          >
            {mailTemplates.map(each => (
              <MenuItem key={each} value={each}>
                {t(`settings.options.template.${each}`)}
              </MenuItem>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t('settings.fields.language')}>
        {({ id }) => (
          <Select
            id={id}
            fullWidth
            value={language}
            onChange={event => setLanguage(event.target.value as Preview['language'])}
          >
            {languages.map(each => (
              <MenuItem key={each} value={each}>
                {languageNames[each]}
              </MenuItem>
            ))}
          </Select>
        )}
      </Field>
      {shown && <Mail mail={shown} />}
    </Stack>
  )
}

/** Looks like the e-mail, which has light colours in both themes. */
const Mail = ({ mail: { title, paragraphs, link, language } }: { mail: Preview }) => (
  <Box
    component="article"
    lang={language.replace('_', '-')}
    aria-label={title}
    sx={{ bgcolor: '#f4f5f7', color: '#1c2024', p: 2, borderRadius: '8px' }}
  >
    <Box sx={{ bgcolor: '#fff', borderRadius: '12px', p: 2.5 }}>
      <Typography component="h3" sx={{ fontSize: 18, fontWeight: 600, mb: 1.5 }}>
        {title}
      </Typography>
      {paragraphs.map(each => (
        <Typography key={each} sx={{ fontSize: 15, mb: 1.25 }}>
          {each}
        </Typography>
      ))}
      {link && (
        <Box
          component="span"
          title={link.url}
          sx={{
            ...{ display: 'inline-block', mt: 1, px: 2.25, py: 1.25, borderRadius: '8px' },
            ...{ bgcolor: '#2558d9', color: '#fff', fontSize: 15 },
          }}
        >
          {link.label}
        </Box>
      )}
    </Box>
  </Box>
)
