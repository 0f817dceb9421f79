/** What a hostile tenant may send as the HTML of an e-mail, in half a megabyte. */
const size = 512 * 1024
const fill = (unit: string) => unit.repeat(size / unit.length)

export const htmlBombs: Record<string, string> = {
  'blocks in blocks': fill('<div>'),
  'inline elements in paragraphs': fill('<p><b>'),
  'inline elements in one another': fill('<span>'),
  'lists in lists': fill('<ul><li>'),
  'quotes in quotes': fill('<blockquote>a<br>'),
  'links in links': fill('<a href=a>b '),
  'tables in tables': fill('<table><tr><td>'),
  'closing tags of what is not open': `${'<div>'.repeat(30_000)}${'</i>'.repeat(90_000)}`,
  'paragraphs without an end': fill('a<p>'),
  'line breaks': fill('<br>'),
  'rules that become lines': fill('<hr>'),
  'cells that span a million': fill('<td colspan=1000000 rowspan=1000000>a'),
  'numbers of lists': fill('<ol type=I start=99999><li>a</ol>'),
  'foreign elements that are left open': fill('<b><mi></b>'),
  'attributes without an end': `<p ${fill('a=b ')}`,
  'half an address': fill('<a href="'),
  'comments that never end': fill('<!--'),
  'scripts that never end': fill('<script>'),
  entities: fill('&euro;'),
  'half an entity': fill('&#'),
  'less-than signs': fill('<'),
  blanks: fill(' '),
}

/** As many tags and as deep as the library may get: what takes it longest. */
export const heaviestHtml: Record<string, string> = {
  paragraphs: `${'<div>'.repeat(198)}${'a<p>'.repeat(9_800)}`,
  'table rows': `<table>${'<tr><td>a<td>b'.repeat(3_300)}`,
  'rules and words': `${'<hr>'.repeat(9_999)}${'a '.repeat(235_000)}`,
  lists: `${'<ul><li>'.repeat(99)}${'a<br>'.repeat(9_800)}`,
  'links and words': `${'<a href=x>'.repeat(199)}${'a '.repeat(250_000)}`,
}
