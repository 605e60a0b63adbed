/* SPDX-License-Identifier: MIT */
/* Marks made with the headers of NVTX 3; tests/opencl/marks.test builds it where they are. */
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>

int main(void)
{
	nvtxDomainHandle_t domain = nvtxDomainCreateA("domain");
	nvtxEventAttributes_t full = {.version = NVTX_VERSION,
				      .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
				      .category = 3,
				      .colorType = NVTX_COLOR_ARGB,
				      .color = 0xff00ff00,
				      .payloadType = NVTX_PAYLOAD_TYPE_DOUBLE,
				      .payload.dValue = 2.5,
				      .messageType = NVTX_MESSAGE_TYPE_UNICODE,
				      .message.unicode = L"wide \xe4"};
	nvtxEventAttributes_t named = {.version = NVTX_VERSION,
				       .size = NVTX_EVENT_ATTRIB_STRUCT_SIZE,
				       .payloadType = NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
				       .payload.uiValue = 7,
				       .messageType = NVTX_MESSAGE_TYPE_REGISTERED};

	nvtxDomainNameCategoryA(domain, 3, "three");
	nvtxMarkA("mark");
	printf("%d ", nvtxRangePushA("push"));
	printf("%d ", nvtxDomainRangePushEx(domain, &full));
	nvtxDomainRangePop(domain);
	printf("%d ", nvtxRangePushA("push again"));
	nvtxRangePop();
	printf("%d ", nvtxRangePop());
	printf("%d\n", nvtxRangePop());
	named.message.registered = nvtxDomainRegisterStringA(domain, "registered");
	nvtxDomainRangeEnd(domain, nvtxDomainRangeStartEx(domain, &named));
	nvtxDomainDestroy(domain);
	return 0;
}
