import { useState } from 'react';
import { HtmlFrame } from '../../preview/html-frame.tsx';
import { Button } from '../../ui/button.tsx';
import classes from './preview-parts.module.css';
import { Specimen } from './specimen.tsx';

const NEWSLETTER = `<!doctype html>
<html lang="en"><head><title>Autumn</title><style>
  body { margin: 0; padding: 24px; background: #fdf6ec; font: 16px/1.5 Georgia, serif; color: #3b2f2f; }
  .button { display: inline-block; padding: 10px 18px; border-radius: 6px; background: #8a3b12; color: #fff; }
</style></head><body>
<table role="presentation" width="100%"><tr><td align="center" style="padding: 12px">
<h1>Autumn at the bakery</h1>
<p>New loaves, baked every morning.</p>
<a class="button" href="https://shop.example/autumn">See the loaves</a>
</td></tr></table></body></html>`;

/** Tries everything by which foreign HTML could run, lead away or reach the console. */
const HOSTILE = `<html><head><base href="https://evil.example/">
<meta http-equiv="refresh" content="0;url=https://evil.example/">
<script>parent.document.title = 'Taken over'; top.location = 'https://evil.example/';</script>
<link rel="stylesheet" href="https://evil.example/style.css"></head>
<body onload="document.body.textContent = 'Taken over'" style="font: 16px sans-serif; color: #222">
<p>You have won.</p>
<img alt="" src="data:," onerror="document.body.textContent = 'Taken over'">
<svg width="1" height="1" onload="document.body.textContent = 'Taken over'"><script>alert(1)</script></svg>
<iframe srcdoc="<script>parent.document.body.textContent = 'Taken over'</script>"></iframe>
<p><a href="javascript:document.body.textContent = 'Taken over'">Claim it</a>
<a href="https://evil.example/" target="_top">Or here</a></p>
<form action="https://evil.example/" target="_top"><button style="font: inherit">Send</button></form>
</body></html>`;

/** Foreign HTML in its frame. */
export function PreviewParts() {
  const [isLong, setLong] = useState(false);
  const [clicked, setClicked] = useState('');
  const html = isLong
    ? NEWSLETTER.replace('</h1>', '</h1><p style="block-size: 600px">Long.</p>')
    : NEWSLETTER;
  return (
    <>
      <Specimen name="HtmlFrame">
        <div className={classes.preview}>
          <HtmlFrame title="Newsletter" html={html} onClick={(href) => setClicked(href ?? 'no link')} />
          <Button onPress={() => setLong(!isLong)}>{isLong ? 'Short mail' : 'Long mail'}</Button>
          <p role="status">{clicked === '' ? '' : `Clicked: ${clicked}`}</p>
        </div>
      </Specimen>
      <Specimen name="HtmlFrame with hostile HTML">
        <div className={classes.preview}>
          <HtmlFrame title="Hostile mail" html={HOSTILE} />
        </div>
      </Specimen>
    </>
  );
}
