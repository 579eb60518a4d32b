import Box from '@mui/material/Box'
import { useSite } from '../api'
import { Markdown, useT } from '../ui'

const source = 'https://github.com/MartialBE/one-hub'

/** The footer text of the site, or the credits of One Hub when there is none. */
export const Footer = () => {
  const site = useSite()
  const t = useT()
  return (
    <Box
      component="footer"
      sx={{
        minHeight: 64,
        px: 3,
        py: 2,
        display: 'flex',
        alignItems: 'center',
        justifyContent: 'center',
        textAlign: 'center',
        color: 'text.secondary',
        fontSize: 13,
        '& a': { color: 'inherit' },
      }}
    >
      {site.footer_html ? (
        <Markdown text={site.footer_html} title={t('common.footer')} />
      ) : (
        <span>
          {site.system_name} {site.hub_version} · {t('footer.developedBy')} · {t('footer.basedOn')}{' '}
          <a href={source} target="_blank" rel="noreferrer noopener">
            One Hub
          </a>{' '}
          · {t('footer.license')}{' '}
          <a
            href="https://www.apache.org/licenses/LICENSE-2.0"
            target="_blank"
            rel="noreferrer noopener"
          >
            Apache-2.0
          </a>
        </span>
      )}
    </Box>
  )
}
