// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IRemitHub} from "../../src/interfaces/IRemitHub.sol";
import {TestUSDC} from "../stand-ins/TestUSDC.sol";

/// @notice EIP-712 digests, spelled out here a second time so that a slip in the contracts' own
///         type strings cannot agree with itself.
library Signing {
    function config(IRemitHub.MerchantConfig memory c, address hub)
        internal
        pure
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256("EIP712Domain(string name,string version,address verifyingContract)"),
                keccak256("Remit Hub"),
                keccak256("2"),
                hub
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                keccak256(
                    "MerchantConfig(bytes16 merchantId,address treasury,uint16 feeBps,uint40 feeCap,uint32 version)"
                ),
                c.merchantId,
                c.treasury,
                c.feeBps,
                c.feeCap,
                c.version
            )
        );
        return digest(domain, message);
    }

    function refund(IRemitHub.Refund memory r, address hub, uint256 chainId)
        internal
        pure
        returns (bytes32)
    {
        bytes32 domain = keccak256(
            abi.encode(
                keccak256(
                    "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
                ),
                keccak256("Remit Hub"),
                keccak256("2"),
                chainId,
                hub
            )
        );
        bytes32 message = keccak256(
            abi.encode(
                keccak256(
                    "Refund(uint256 refundId,address source,address token,address to,uint256 amount,uint256 feeLeft,uint256 deadline)"
                ),
                r.refundId,
                r.source,
                r.token,
                r.to,
                r.amount,
                r.feeLeft,
                r.deadline
            )
        );
        return digest(domain, message);
    }

    function authorization(IRemitHub.Authorization memory a, address token)
        internal
        view
        returns (bytes32)
    {
        return transfer(
            "Transfer", token, a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce
        );
    }

    /// @param kind "Transfer" or "Receive".
    function transfer(
        string memory kind,
        address token,
        address from,
        address to,
        uint256 value,
        uint256 validAfter,
        uint256 validBefore,
        bytes32 nonce
    ) internal view returns (bytes32) {
        bytes32 typeHash = keccak256(
            abi.encodePacked(
                kind,
                "WithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
            )
        );
        return digest(
            TestUSDC(token).DOMAIN_SEPARATOR(),
            keccak256(
                abi.encode(typeHash, from, to, value, validAfter, validBefore, nonce)
            )
        );
    }

    function digest(bytes32 domain, bytes32 message) internal pure returns (bytes32) {
        return keccak256(abi.encodePacked("\x19\x01", domain, message));
    }
}
