const words = (text: string): string[] => text.trim().split(/\s+/)

/** Spellings of 127.0.0.1, 0.0.0.0 and ::1 that some parser or socket understands. */
const loopback = words(`
  127.0.0.1 127.0.0.1. 127.1 127.0.1 127.000.000.001 127.0.0.01 127.0.0.0x1 127.255.255.254 127.127.127.127
  2130706433 2130706433. 0x7f000001 0x7F000001 0X7f000001 017700000001 0x7f.1 0x7f.0.0.1 0177.1 0177.0.0.1
  0177.0.0.0x1 127.0x1 127.0.0x1 0x7f.0x0.0x0.0x1 00000177.1 0x000000007f000001
  0 0. 00 0x0 0.0 0.0.0 0.0.0.0 0.0.0.0. 00.00.00.00 0x0.0x0 0.0.0.1 0.255.255.255
  [::1] [0:0:0:0:0:0:0:1] [0000:0000:0000:0000:0000:0000:0000:0001] [::0001] [0::1] [::0:1]
  [::] [0::0] [0:0:0:0:0:0:0:0] [::0.0.0.0] [::127.0.0.1] [::7f00:1] [0:0:0:0:0:0:7f00:1]
  [::ffff:127.0.0.1] [::ffff:7f00:1] [::FFFF:7F00:0001] [0:0:0:0:0:ffff:127.0.0.1] [::ffff:0.0.0.0] [::ffff:0:0]
  [::ffff:0:127.0.0.1] [::ffff:0:7f00:1]
`)

/** Private and special ranges, also inside the forms of IPv6 that carry an IPv4 address. */
const ranges = words(`
  10.0.0.0 10.0.0.1 10.255.255.255 10.1 167772161 0xa000001 012.0.0.1 [::ffff:10.0.0.1] [::ffff:a00:1]
  100.64.0.0 100.64.0.1 100.100.100.200 100.127.255.255 1681915905 [::ffff:100.64.0.1]
  169.254.0.0 169.254.169.254 169.254.170.2 169.254.255.255 2852039166 0xa9fea9fe 0251.0376.0251.0376
  0xa9.0xfe.0xa9.0xfe 169.254.43518 169.16689662 [::ffff:169.254.169.254] [::ffff:a9fe:a9fe] [::169.254.169.254]
  172.16.0.0 172.16.0.1 172.31.255.255 2886729729 0xac100001 [::ffff:172.16.0.1] [::ffff:ac10:1]
  192.168.0.0 192.168.0.1 192.168.1.1 192.168.255.255 3232235777 0xc0a80101 0300.0250.1.1 192.168.257
  [::ffff:192.168.1.1] [::ffff:c0a8:101] [::c0a8:101]
  192.0.0.0 192.0.0.1 192.0.0.8 192.0.0.170 192.0.0.192 192.0.0.255 192.0.2.0 192.0.2.1 192.0.2.255
  192.31.196.0 192.31.196.1 192.31.196.255 192.52.193.0 192.52.193.255 192.88.99.0 192.88.99.1 192.88.99.255
  192.175.48.0 192.175.48.255
  198.18.0.0 198.18.0.1 198.19.255.255 198.51.100.0 198.51.100.1 198.51.100.255
  203.0.113.0 203.0.113.1 203.0.113.255
  224.0.0.0 224.0.0.1 224.0.0.251 239.255.255.250 239.255.255.255 240.0.0.0 240.0.0.1 250.1.2.3
  255.255.255.254 255.255.255.255 4294967295 0xffffffff 037777777777
  [64:ff9b::] [64:ff9b::127.0.0.1] [64:ff9b::7f00:1] [64:ff9b::10.0.0.1] [64:ff9b::a9fe:a9fe] [64:ff9b::8.8.8.8]
  [64:ff9b:1::1] [64:ff9b:1:ffff:ffff:ffff:ffff:ffff]
  [100::] [100::1] [100:0:0:1::1] [1::1] [400::1] [800::1] [1000::1]
  [2001::] [2001::1] [2001:0:7f00:1::] [2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001:1::1] [2001:1::2] [2001:1::3]
  [2001:2::1] [2001:3::1] [2001:4:112::1] [2001:10::1] [2001:20::1] [2001:30::1] [2001:1ff:ffff::1]
  [2001:db8::] [2001:db8::1] [2001:db8:ffff:ffff:ffff:ffff:ffff:ffff]
  [2002::] [2002:7f00:1::] [2002:7f00:1::1] [2002:a00:1::] [2002:a9fe:a9fe::] [2002:c0a8:101::] [2002:808:808::]
  [2620:4f:8000::] [2620:4f:8000:ffff::1] [3fff::1] [3fff:fff::1] [4000::1] [5f00::1] [6000::1] [8000::1] [c000::1]
  [e000::1] [f000::1] [f800::1]
  [fc00::] [fc00::1] [fd00::1] [fd00:ec2::254] [fd12:3456:789a::1] [fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff]
  [fe00::1] [fe80::] [fe80::1] [fe80::1%25lo] [fe80::1%25eth0] [fe80::1%eth0] [fe80::1%2525lo] [febf::1] [::1%25lo]
  [fec0::] [fec0::1] [feff::1] [fe80::a9fe:a9fe] [ff00::] [ff02::1] [ff02::fb] [ff05::1:3] [ff0e::1]
`)

/** Letters, digits and dots of other scripts, which the rules for host names turn into ASCII, and encoded ones. */
const disguised = [
  '１２７.０.０.１',
  '１２７。０。０。１',
  '127。0。0。1',
  '127．0．0．1',
  '127｡0｡0｡1',
  '①②⑦.⓪.⓪.①',
  '𝟏𝟐𝟕.𝟎.𝟎.𝟏',
  '𝟣𝟤𝟩.𝟢.𝟢.𝟣',
  '１６９.２５４.１６９.２５４',
  '①⑥⑨.②⑤④.①⑥⑨.②⑤④',
  '⑯⑨.254.169.254',
  '０',
  '０x７f.1',
  '127.0.0.1%2e',
  '%31%32%37.0.0.1',
  '127%2e0%2e0%2e1',
  '%30',
  '%00127.0.0.1',
  '127.0.0.1%00',
  '127.0.0.1%0d%0aX:',
  '127.0.0.1%09',
  '[%3a%3a1]',
  '１２７.1',
  '127\u00ad.0.0.1',
  '127\u200b.0.0.1',
  '12\t7.0.0.1',
  '127.0.\n0.1',
]

/** Names that a system, a cloud or a container resolves by itself; here the name server answers loopback addresses. */
export const hostileNames = words(`
  localhost LOCALHOST localhost. localhost.localdomain localhost6 ip6-localhost ip6-loopback sub.localhost
  ⓛⓞⓒⓐⓛⓗⓞⓢⓣ ｌｏｃａｌｈｏｓｔ loc%61lhost metadata metadata.google.internal metadata.goog instance-data
  metadata.azure.internal rancher-metadata kubernetes kubernetes.default kubernetes.default.svc
  kubernetes.default.svc.cluster.local host.docker.internal gateway.docker.internal redis postgres hub wpad router.local
  127.0.0.1.nip.example 127-0-0-1.nip.example loopback.attacker.example mixed.attacker.example
  mapped.attacker.example private.attacker.example metadata.attacker.example six.attacker.example unknown.attacker.example
  xn--lcalhost-8dd.attacker.example
`)

/** Hosts that are tried with the scheme http and the port of a canary. */
export const hostileHosts: readonly string[] = [
  ...loopback,
  ...ranges,
  ...disguised,
  ...hostileNames,
]

/** Whole addresses; `{port}` is the port of a canary on 127.0.0.1, and `good.example` a host that may be fetched. */
export const hostileUrls: readonly string[] = [
  ...words(`
    file:///etc/passwd file://127.0.0.1/etc/passwd FILE:///etc/passwd ftp://127.0.0.1:{port}/a.png
    gopher://127.0.0.1:{port}/_GET%20/ dict://127.0.0.1:{port}/stats ldap://127.0.0.1:{port}/ tftp://127.0.0.1:{port}/a
    jar:http://127.0.0.1:{port}!/a netdoc:///etc/passwd php://filter/resource=/etc/passwd
    ws://127.0.0.1:{port}/ wss://127.0.0.1:{port}/ unix:/run/docker.sock http+unix://%2frun%2fdocker.sock/
    blob:http://127.0.0.1:{port}/a javascript:fetch('http://127.0.0.1:{port}') data:text/html,x about:blank view-source:http://127.0.0.1:{port}
    //127.0.0.1:{port}/a.png /a.png a.png ?a # http: http:// https:// http:/// http://: http://? http://# http://[ http://]
    http://[::1 http://[:::1]:{port}/ http://1.2.3.4.5/ http://256.1.1.1/ http://0x100000000/ http://127.0.0.1:99999/
    http://127.0.0.1:-1/ http://127.0.0.1:{port}x/ http://good.example:0/ http://good.example:22/ http://good.example:25/
    http://good.example:6379/ http://good.example:11211/ https://good.example:2375/
    http:127.0.0.1:{port}/a.png http:/127.0.0.1:{port}/a.png http:\\\\127.0.0.1:{port}\\a.png http:///127.0.0.1:{port}/a.png
    http://127.0.0.1:{port}#@good.example/ http://127.0.0.1:{port}?@good.example/ http://127.0.0.1:{port}\\@good.example/
    http://good.example@127.0.0.1:{port}/ http://good.example:80@127.0.0.1:{port}/ http://user:password@127.0.0.1:{port}/
    http://user@good.example/ http://user:password@good.example/ http://:password@good.example/
    http://good.example%40127.0.0.1:{port}/ http://@127.0.0.1:{port}/ http://127.0.0.1:{port}:80/
    http://good.example:80:{port}/ hTTp://127.0.0.1:{port}/ https://127.0.0.1:{port}/a.png
  `),
  ' http://127.0.0.1:{port}/a.png',
  '\thttp://127.0.0.1:{port}/a.png',
  'ht\ntp://127.0.0.1:{port}/a.png',
  'http://127.0.0.1:{port}/a.png\r\nHost: good.example',
  'http://good.example .127.0.0.1:{port}/',
  '',
]

/** The answers of the name server that hostile names meet. */
export const hostileZone = (name: string): readonly string[] | undefined => {
  if (name.startsWith('unknown.')) return undefined
  if (name.startsWith('mixed.')) return ['127.0.0.1', '127.0.0.2', '1.1.1.1', '::1']
  if (name.startsWith('mapped.')) return ['::ffff:127.0.0.1']
  if (name.startsWith('private.')) return ['10.0.0.1']
  if (name.startsWith('metadata')) return ['169.254.169.254', 'fd00:ec2::254']
  if (name.startsWith('six.')) return ['::1']
  return ['127.0.0.1', '::1']
}
