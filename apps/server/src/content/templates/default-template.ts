/** The content of a new template: complete, without pictures, ready to be sent. */
export const defaultMjml = `<mjml>
  <mj-head>
    <mj-attributes>
      <mj-all font-family="Helvetica, Arial, sans-serif" />
      <mj-text font-size="16px" line-height="1.5" color="#1f2933" />
      <mj-button background-color="#006ec6" color="#ffffff" border-radius="6px" font-size="16px" inner-padding="12px 24px" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f1f4f7" width="600px">
    <mj-section padding="24px 0 8px">
      <mj-column>
        <mj-text align="center" font-size="13px" color="#5c646f">
          <a href="{{ links.view_in_browser }}" style="color:#5c646f">View in browser</a>
        </mj-text>
      </mj-column>
    </mj-section>
    <mj-section background-color="#ffffff" padding="32px 16px" border-radius="8px">
      <mj-column>
        <mj-text font-size="20px" font-weight="700" color="#006ec6">{{ brand.name }}</mj-text>
        <mj-text font-size="26px" font-weight="700" line-height="1.25">
          Hello {{ contact.first_name | default: "there" }},
        </mj-text>
        <mj-text>
          this is where your message begins. Say what is new, why it matters to the person who reads it, and
          what to do next.
        </mj-text>
        <mj-button href="https://example.com/">Read more</mj-button>
        <mj-text>
          Best regards<br />
          {{ brand.name }}
        </mj-text>
      </mj-column>
    </mj-section>
    <mj-section padding="16px 0 32px">
      <mj-column>
        <mj-text align="center" font-size="13px" color="#5c646f">
          You receive this email because you asked {{ brand.name }} for it.<br />
          <a href="{{ links.unsubscribe }}" style="color:#5c646f">Unsubscribe</a>
        </mj-text>
      </mj-column>
    </mj-section>
  </mj-body>
</mjml>
`;
